import { expect, it } from 'vitest';
import { finishImport, importFile, productsBySlug } from '../support/fixtures/catalog/imports.ts';
import { type World, world } from '../support/world.ts';

const FILE = 'Handle,Title,Option1 Name,Option1 Value,Variant Price\nhose,Grüne Hose,Größe,S,5\nhose,,,M,6\n';
const inLatin = (text: string) => Uint8Array.from(Buffer.from(text, 'latin1'));

const send = (shop: World, raw: BodyInit, type: string, query = '') =>
  shop.post(`/imports/products${query}`, undefined, { raw, headers: { 'content-type': type } });

it.each([
  ['Windows-1252', 'text/csv; charset=windows-1252', inLatin(FILE)],
  ['ISO-8859-1', 'text/csv;header=present;charset="ISO-8859-1"', inLatin(FILE)],
  ['UTF-16', 'text/csv; charset=utf-16le', Uint8Array.from(Buffer.from(FILE, 'utf16le'))],
  ['UTF-8', 'text/csv; Charset=UTF-8', FILE],
  ['UTF-8 by its byte order mark', 'text/csv; charset=windows-1252', `\uFEFF${FILE}`],
])('reads a file in %s, as Content-Type declares', async (_, type, file) => {
  const shop = await world();
  const { status, body } = await send(shop, file, type);
  expect(status).toBe(202);
  expect(await finishImport(shop, body.id)).toMatchObject({ created: 1, failed: 0, rows: 2, errors: [] });
  expect((await productsBySlug(shop)).hose).toMatchObject({
    name: 'Grüne Hose',
    options: [{ name: 'Größe', values: ['S', 'M'] }],
  });
});

it.each([
  ['an unknown charset', 'text/csv; charset=klingon', FILE, '"klingon"'],
  ['bytes that the charset does not have', 'text/csv; charset=euc-kr', Uint8Array.of(65, 0xff), 'euc-kr'],
])('refuses %s, and keeps nothing of the file', async (_, type, file, named) => {
  const shop = await world();
  const { status, body } = await send(shop, file, type);
  expect([status, body.code]).toEqual([415, 'unsupported_media_type']);
  expect(body.message).toContain(named);
  expect((await shop.get('/imports')).body.data).toEqual([]);
});

it('says first that a file is not UTF-8, and of lines that depend on an unreadable one nothing else', async () => {
  const shop = await world();
  const { errors } = await importFile(shop, inLatin(FILE));
  expect(errors).toMatchObject([
    { line: 2, message: 'The line is not UTF-8. Save the file as "CSV UTF-8".' },
    { line: 3, field: 'Title', message: expect.stringContaining('could not be read') },
  ]);
});
