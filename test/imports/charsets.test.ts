import { expect, it } from 'vitest';
import { finishImport, importFile, productsBySlug } from '../support/fixtures/catalog/imports.ts';
import { type World, world } from '../support/world.ts';

const FILE = 'Handle,Title,Option1 Name,Option1 Value,Variant Price\nhose,Grüne Hose,Größe,S,5\nhose,,,M,6\n';
const inLatin = (text: string) => Uint8Array.from(Buffer.from(text, 'latin1'));

const inBigEndian = (text: string) => Uint8Array.from(Buffer.from(text, 'utf16le').swap16());

/** Returns a file that arrives in so many bytes at a time. */
const inPieces = (bytes: Uint8Array<ArrayBuffer>, size: number): ReadableStream => {
  let at = 0;
  return new ReadableStream({
    pull: (controller) => {
      controller.enqueue(bytes.slice(at, at + size));
      at += size;
      if (at >= bytes.byteLength) controller.close();
    },
  });
};

const send = (shop: World, raw: BodyInit, type: string, query = '') =>
  shop.post(`/imports/products${query}`, undefined, { raw, headers: { 'content-type': type } });

it.each([
  ['Windows-1252', 'text/csv; charset=windows-1252', inLatin(FILE)],
  ['ISO-8859-1', 'text/csv;header=present;charset="ISO-8859-1"', inLatin(FILE)],
  ['UTF-16', 'text/csv; charset=utf-16le', Uint8Array.from(Buffer.from(FILE, 'utf16le'))],
  ['UTF-8', 'text/csv; Charset=UTF-8', FILE],
  ['UTF-16 by its byte order mark', 'text/csv; charset=utf-16', inBigEndian(`\uFEFF${FILE}`)],
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
  ['UTF-16', 'utf-16le', Uint8Array.from(Buffer.from(`${FILE}tee,𝒯ee,,,5\n`, 'utf16le'))],
  ['UTF-8 after all', 'windows-1252', Uint8Array.from(Buffer.from(`\uFEFF${FILE}tee,𝒯ee,,,5\n`))],
])('reads a file that arrives byte by byte in %s', async (_, charset, file) => {
  const shop = await world();
  const { body } = await send(shop, inPieces(file, 1), `text/csv; charset=${charset}`);
  expect(await finishImport(shop, body.id)).toMatchObject({ created: 2, failed: 0, errors: [] });
  expect(await productsBySlug(shop)).toMatchObject({ hose: { name: 'Grüne Hose' }, tee: { name: '𝒯ee' } });
});

it('reads what Windows-1252 has beyond ISO-8859-1', async () => {
  const shop = await world();
  const file = Uint8Array.from(
    Buffer.from('Handle,Title,Variant Price\ncup,Cup \x80 \x93A\x94 \x96 B\x92s,5\n', 'latin1'),
  );
  const { body } = await send(shop, file, 'text/csv; charset=windows-1252');
  expect(await finishImport(shop, body.id)).toMatchObject({ created: 1, failed: 0, errors: [] });
  expect((await productsBySlug(shop)).cup.name).toBe('Cup € “A” – B’s');
});

it.each([
  ['an unknown charset', 'text/csv; charset=klingon', FILE, '"klingon"'],
  ['a charset that decodes nothing', 'text/csv; charset=iso-2022-kr', FILE, '"iso-2022-kr"'],
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
