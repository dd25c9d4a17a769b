import { env } from 'cloudflare:workers';
import { afterEach, expect, it, vi } from 'vitest';
import documented from '../../../docs/operating.md?raw';
import { EVENTS, errorName, log } from '../../../src/kernel/core/log.ts';
import { reportError } from '../../../src/kernel/http/problem.ts';

afterEach(() => void vi.restoreAllMocks());

/** Returns the lines that `write` logs, by level. */
function linesOf(write: () => void): [string, string][] {
  const lines: [string, string][] = [];
  for (const level of ['log', 'warn', 'error'] as const) {
    vi.spyOn(console, level).mockImplementation((line: string) => void lines.push([level, line]));
  }
  write();
  return lines;
}

it('writes one line of JSON at the level of the event', () => {
  const lines = linesOf(() => {
    log('relay_failed', { tenant: 7, events: 2 });
    log('stock_not_written', { tenant: 7, name: errorName(new TypeError('x')), storage: true });
  });
  expect(lines).toEqual([
    ['warn', '{"event":"relay_failed","tenant":7,"events":2}'],
    ['error', '{"event":"stock_not_written","tenant":7,"name":"TypeError","storage":true}'],
  ]);
});

it('names an error of the database, also one that the driver wrapped, by its code', async () => {
  const failed = await env.DB.prepare('SELECT nothing')
    .all()
    .catch((error: unknown) => error);
  const wrapped = new Error('Failed query: ... params: SQLITE_FULL, Ada', { cause: failed });
  const lost = new Error('D1_ERROR: Network connection lost.');
  expect([failed, wrapped, lost, new Error('Ada: SQL')].map(errorName)).toEqual([
    'SQLITE_ERROR',
    'SQLITE_ERROR',
    'D1_ERROR',
    'Error',
  ]);
});

const PERSONAL = [
  'ada@example.com',
  'Ada Lovelace',
  '{"name":"Ada"}',
  '12 Harley Street\nLondon',
  `Bearer ${'t'.repeat(20)}`,
  't'.repeat(121),
];

it.each(PERSONAL)('never holds what may be a person or a secret: %s', (text) => {
  const error = new Error(text);
  const unknown = { tenant: 7, events: 2, email: text, body: { text } };
  const lines = linesOf(() => {
    log('error', { request_id: text, name: text, storage: false, stack: error.stack });
    log('bad_master_key', { request_id: 'a', variables: [text, 'MASTER_KEY_V1'] });
    log('relay_failed', unknown);
  });
  expect(lines.map(([, line]) => JSON.parse(line))).toEqual([
    { event: 'error', request_id: '?', name: '?', storage: false, stack: expect.any(Array) },
    { event: 'bad_master_key', request_id: 'a', variables: ['?', 'MASTER_KEY_V1'] },
    { event: 'relay_failed', tenant: 7, events: 2 },
  ]);
  for (const [, line] of lines) expect(line).not.toContain(JSON.stringify(text).slice(1, -1));
});

it('holds no line of a message that looks like a frame of the stack', () => {
  const error = new Error('Failed query: INSERT\nparams: Meet me\n    at the harbour, $& ada@example.com');
  const [line] = linesOf(() => reportError(error, 'a'));
  const { stack } = JSON.parse(line?.[1] ?? '');
  expect(stack.length).toBeGreaterThan(0);
  expect(stack.join('\n')).not.toContain('harbour');
});

it('is documented for operators, each event with its level', () => {
  const rows = [...documented.matchAll(/^\| `(\w+)` +\| (log|warn|error) +\|/gm)].map(([, name, level]) => [
    name,
    level,
  ]);
  expect(rows).toEqual(Object.entries(EVENTS).map(([name, [level]]) => [name, level]));
});
