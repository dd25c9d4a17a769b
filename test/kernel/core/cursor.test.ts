import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { cursorFormat } from '../../../src/kernel/core/cursor.ts';

const Position = z.strictObject({ price: z.int(), id: z.int().min(1) });
const prices = cursorFormat('prices', Position);

describe('a cursor', () => {
  test('is parsed to the position that it was made from', () => {
    const at = { price: 1_299, id: 7 };
    expect(prices.decode(prices.encode(at))).toEqual(at);
    expect(prices.param.parse(prices.encode(at))).toEqual(at);
    const names = cursorFormat('names', z.string());
    expect(names.decode(names.encode('Käse — 奶酪'))).toBe('Käse — 奶酪');
  });

  test('fits a URL as it is', () => {
    expect(prices.encode({ price: -1, id: 2 ** 40 })).toMatch(/^[\w-]+$/);
  });

  test.each([
    ['nothing', ''],
    ['no base64', '%%%'],
    ['no JSON', Buffer.from('price:1').toString('base64url')],
    ['another list', cursorFormat('names', Position).encode({ price: 1, id: 1 })],
    ['another version', Buffer.from('[2,"prices",{"price":1,"id":1}]').toString('base64url')],
    ['a position that is none', Buffer.from('[1,"prices",{"price":"1","id":1}]').toString('base64url')],
    ['another spelling', Buffer.from('[1, "prices",{"price":1,"id":1}]').toString('base64url')],
    ['padding', `${prices.encode({ price: 1, id: 1 })}=`],
    ['a long text', 'W'.repeat(100_000)],
  ])('is refused when it is %s', (_, cursor) => {
    expect(prices.decode(cursor)).toBeNull();
    expect(prices.param.safeParse(cursor).error?.issues[0]?.message).toContain('next_cursor');
  });
});
