import { z } from '@hono/zod-openapi';
import { expect, it } from 'vitest';
import { fieldErrors } from '../../../src/kernel/http/problem.ts';

const op = (name: string) => z.object({ op: z.literal(name) });

/** The message for a value that a schema refuses. */
function messageFor(schema: z.ZodType, value: unknown): string | undefined {
  const { error } = schema.safeParse(value);
  return error && Object.values(fieldErrors(error, 'value'))[0]?.[0];
}

it.each([
  ['nothing', z.string(), undefined, 'is required'],
  ['a missing choice', z.enum(['a', 'b']), undefined, 'is required'],
  ['another type', z.string(), 5, 'must be a string'],
  ['null', z.number(), null, 'must be a number'],
  ['no number', z.number(), Number.NaN, 'must be a number'],
  ['a fraction', z.int(), 1.5, 'must be a whole number'],
  ['a fraction of a step', z.number().multipleOf(1), 1.5, 'must be a whole number'],
  ['no list', z.array(z.string()), 'x', 'must be a list'],
  ['an empty text', z.string().min(1), '', 'must not be empty'],
  ['a short text', z.string().min(8), 'x', 'must have at least 8 characters'],
  ['a long text', z.string().max(1), 'xx', 'must have at most 1 character'],
  ['another length', z.string().length(2), 'x', 'must have exactly 2 characters'],
  ['an empty list', z.array(z.string()).min(1), [], 'must have at least 1 item'],
  ['a long list', z.array(z.number()).max(2), [1, 2, 3], 'must have at most 2 items'],
  ['a small number', z.number().min(0), -1, 'must be at least 0'],
  ['a number at an open bound', z.number().positive(), 0, 'must be more than 0'],
  ['a large number', z.number().max(100), 101, 'must be at most 100'],
  ['no e-mail address', z.email(), 'x', 'must be an e-mail address'],
  ['no URL', z.url(), 'x', 'must be a URL'],
  ['no time', z.iso.datetime(), 'x', 'must be a date and time such as 2026-05-01T09:00:00Z'],
  ['another pattern', z.string().regex(/^a$/), 'b', 'has an invalid format'],
  ['no such choice', z.enum(['a', 'b']), 'c', 'must be one of a, b'],
  ['no such value', z.literal('a'), 'c', 'must be "a"'],
  [
    'no such variant',
    z.discriminatedUnion('op', [op('add'), op('set')]),
    { op: 'x' },
    'must be one of add, set',
  ],
  [
    'no such key',
    z.record(z.string().regex(/^[A-Z]{2}$/, 'must be a country'), z.number()),
    { x: 1 },
    'must be a country',
  ],
  ['none of several', z.union([z.string(), z.number()]), true, 'is invalid'],
  ['a message of its own', z.string().regex(/^a$/, 'must be a currency'), 'b', 'must be a currency'],
] as const)('describes %s in words', (_, schema, value, message) => {
  expect(messageFor(schema, value)).toBe(message);
});

it('says the same of a field once', () => {
  const origin = z.string().startsWith('https:', 'must be an origin').endsWith('.com', 'must be an origin');
  expect(
    fieldErrors(z.object({ origin }).safeParse({ origin: '*' }).error ?? new z.ZodError([]), 'body'),
  ).toEqual({
    origin: ['must be an origin'],
  });
});
