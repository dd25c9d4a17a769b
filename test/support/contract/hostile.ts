import fc from 'fast-check';

/** Values that no field expects everywhere: wrong types, sizes, numbers and text. */
const HOSTILE: readonly unknown[] = [
  null,
  true,
  '',
  ' ',
  '0',
  '-1',
  '1e3',
  'NaN',
  '٣',
  'a\u0000b',
  '\ud800',
  '\u202e\u200b',
  'e\u0301',
  '%00',
  '../../etc/passwd',
  "' OR 1=1 --",
  '" OR "" = "',
  '<script>alert(1)</script>',
  '=HYPERLINK("http://a")',
  '#{7*7}',
  'x'.repeat(300),
  '🫖'.repeat(5_000),
  'x'.repeat(70_000),
  'javascript:alert(1)',
  'http://127.0.0.1/',
  'https://[::1]/',
  'https://a@b.example/',
  '2026-02-30T25:61:00Z',
  '9999-12-31T23:59:59.999Z',
  '+275760-09-13T00:00:00.000Z',
  0,
  -0,
  -1,
  0.1,
  1e21,
  1e308,
  2 ** 31,
  2 ** 53,
  Number.MAX_SAFE_INTEGER,
  Number.MIN_SAFE_INTEGER,
  [],
  [[]],
  [null],
  Array.from({ length: 2_000 }, (_, n) => n),
  {},
  { __proto__: null, constructor: 1 },
  { toString: 1, valueOf: null, length: -1, hasOwnProperty: 'x' },
  { id: 1, tenant_id: 1 },
];

/** Returns one of the values that no field expects. */
export const hostileValue = (): fc.Arbitrary<unknown> => fc.constantFrom(...HOSTILE);

/** JSON texts that a parser may trip over. */
const RAW: readonly (string | Uint8Array<ArrayBuffer>)[] = [
  '',
  '{',
  'null',
  '[]',
  '"text"',
  '{"a":1,"a":2}',
  '{"a":1e999}',
  '{"a":-1e999}',
  `{"a":${'9'.repeat(400)}}`,
  '{"__proto__":{"scopes":["*"]}}',
  `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
  `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
  '\ufeff{}',
  '{}\u0000',
  new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
  new Uint8Array([0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0, 0, 3, 0xab, 0xae, 0x05, 0, 0x43, 0xbf, 0xa6, 0xa3]),
  new Uint8Array(3_000_000),
];

/** Returns a body as it would never come from `JSON.stringify`, with fields that describe it in some way. */
export const hostileBody = () =>
  fc.record({
    raw: fc.constantFrom(...RAW),
    headers: fc.constantFrom<Record<string, string>>(
      { 'content-type': 'application/json' },
      { 'content-type': 'application/json; charset=utf-16' },
      { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      { 'content-type': 'multipart/form-data; boundary=x' },
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/x-www-form-urlencoded' },
    ),
  });

/** Returns the paths to every value inside a JSON value, itself included. */
function* pathsOf(value: unknown, path: readonly string[] = []): Generator<readonly string[]> {
  yield path;
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) yield* pathsOf(inner, [...path, key]);
}

function replaced(value: unknown, [key, ...rest]: readonly string[], by: unknown): unknown {
  if (key === undefined) return by;
  if (Array.isArray(value)) return value.map((one, n) => (String(n) === key ? replaced(one, rest, by) : one));
  if (typeof value !== 'object' || value === null) return by;
  const entries = Object.entries(value).map(([name, inner]) => [
    name,
    name === key ? replaced(inner, rest, by) : inner,
  ]);
  return Object.fromEntries(entries);
}

/** Returns a JSON value with one of its parts replaced by what no field expects, or with a field too many. */
export const nearly = (value: unknown): fc.Arbitrary<unknown> => {
  const paths = [...pathsOf(value)];
  return fc
    .tuple(fc.nat(paths.length - 1), hostileValue(), fc.boolean())
    .map(([n, by, extra]) =>
      extra && typeof value === 'object' && !Array.isArray(value)
        ? { ...value, surprise: by }
        : replaced(value, paths[n] ?? [], by),
    );
};
