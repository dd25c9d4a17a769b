import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { takeExceeded } from '../../support/runtime/platform-limits.ts';

/** The local databases and queues take more than the platform's: the tests hold them to its limits. */

const MB = 1_000_000;
const query = 'SELECT ? AS value';

it.each<[string, () => Promise<unknown>]>([
  [
    'a parameter of more than 2 MB',
    () =>
      env.DB.prepare(query)
        .bind('x'.repeat(2 * MB + 1))
        .first(),
  ],
  [
    'one in bytes of UTF-8',
    () =>
      env.DB.prepare(query)
        .bind('é'.repeat(MB + 1))
        .all(),
  ],
  [
    '101 parameters',
    () =>
      env.DB.prepare(`SELECT ${Array(101).fill('?')}`)
        .bind(...Array(101).fill(1))
        .raw(),
  ],
  ['a statement of more than 100 KB', () => env.DB.prepare(`SELECT '${'x'.repeat(100_000)}'`).run()],
  ['a row of more than 2 MB', () => env.DB.prepare('SELECT hex(zeroblob(1000001)) AS value').first()],
  [
    'one in a batch of a session',
    () => {
      const session = env.DB.withSession();
      const half = 'hex(zeroblob(500001))';
      return session.batch([session.prepare(`SELECT ${half} AS a, ${half} AS b`)]);
    },
  ],
  ['a message of more than 128 KB', () => env.IMPORT_QUEUE.send('x'.repeat(128_000) as never)],
  [
    'a batch of more than 256 KB',
    () => env.IMPORT_QUEUE.sendBatch(Array(3).fill({ body: 'x'.repeat(100_000) as never })),
  ],
])('refuses %s', async (_, exceed) => {
  await expect(async () => exceed()).rejects.toThrow();
  expect(takeExceeded()).toHaveLength(1);
});

it('takes what the platform takes', async () => {
  expect(
    await env.DB.prepare(query)
      .bind('x'.repeat(2 * MB - 100))
      .first('value'),
  ).toHaveLength(2 * MB - 100);
  expect(takeExceeded()).toEqual([]);
});
