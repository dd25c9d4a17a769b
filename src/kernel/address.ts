import type { Context } from 'hono';
import { parseV4, parseV6 } from './ip.ts';
import { invalid, ok, type Result } from './result.ts';

/** The header in which a storefront's server, which speaks for many shoppers, says for whom it does. */
export const BUYER_IP = 'X-Buyer-IP';

/** What an endpoint that calls {@link buyerAddress} declares of its headers. */
export const buyerHeaders = {
  [BUYER_IP]: "The shopper's IP address, from a storefront's server: attempts are limited by it.",
};

/** IPv4 addresses that are written as IPv6 (RFC 4291, 2.5.5.2) begin with this. */
const MAPPED = 0xffffn;

/**
 * The shopper's address, as what limits are counted under: an IPv4 address, or the 64-bit network of an
 * IPv6 one, since one household has all of it. {@link BUYER_IP} counts only from a request without `Origin`
 * (a browser could claim anything); else the connecting address; "" where that is unknown, as in development.
 * A header that is no IP address is a `validation_error`.
 */
export function buyerAddress(c: Context): Result<string> {
  const claimed = c.req.header('origin') === undefined ? c.req.header(BUYER_IP) : undefined;
  if (claimed === undefined) return ok(network(c.req.header('cf-connecting-ip') ?? '') ?? '');
  const address = network(claimed.trim());
  return address === null ? invalid(BUYER_IP, 'must be one IP address') : ok(address);
}

function network(text: string): string | null {
  const v4 = parseV4(text);
  if (v4 !== null) return v4.toString(16);
  const v6 = parseV6(text);
  if (v6 === null) return null;
  return v6 >> 32n === MAPPED ? (v6 & 0xffffffffn).toString(16) : `${(v6 >> 64n).toString(16)}::`;
}
