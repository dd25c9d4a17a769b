import type { Context } from 'hono';
import { invalid, ok, type Result } from '../core/result.ts';
import { parseV4, parseV6 } from '../text/ip.ts';
import type { App } from './context.ts';

/** Header in which a storefront's server sends the shopper's IP address. */
const BUYER_IP = 'X-Buyer-IP';

/** The `headers` of an endpoint that calls {@link buyerNetwork}. */
export const buyerHeaders = {
  [BUYER_IP]:
    "The shopper's IP address. Attempts are limited by its network (IPv4 address or IPv6 /64). Used only from applications marked `server_side` in requests without `Origin`; anything but one IP address is 422 there. Ignored in all other requests: the connecting address is used.",
};

/** The first 96 bits of an IPv4-mapped IPv6 address (RFC 4291, 2.5.5.2). */
const MAPPED = 0xffffn;

/**
 * Returns the shopper's network, under which attempts are counted: see {@link networkOf}. {@link BUYER_IP} is
 * trusted only from `server_side` applications in requests without `Origin`, since a browser or a phone could
 * claim any address. Otherwise returns the {@link connectingNetwork}. A trusted header that is not an IP
 * address is a `validation_error`.
 */
export function buyerNetwork(c: Context<App>): Result<string> {
  const trusted = c.get('caller').serverSide && c.req.header('origin') === undefined;
  const claimed = trusted ? c.req.header(BUYER_IP) : undefined;
  if (claimed === undefined) return ok(connectingNetwork(c));
  const network = networkOf(claimed.trim());
  return network === null ? invalid(BUYER_IP, 'must be one IP address') : ok(network);
}

/** Returns the network that a request comes from; "" if unknown, as in development. */
export const connectingNetwork = (c: Context<App>): string =>
  networkOf(c.req.header('cf-connecting-ip') ?? '') ?? '';

/**
 * Returns the network that limits count an address under: an IPv4 address, or the /64 of an IPv6 address,
 * since one subscriber usually has all of it. An IPv4-mapped address counts as IPv4. Returns `null` if
 * invalid.
 */
export function networkOf(text: string): string | null {
  const v4 = parseV4(text);
  if (v4 !== null) return v4.toString(16);
  const v6 = parseV6(text);
  if (v6 === null) return null;
  return v6 >> 32n === MAPPED ? (v6 & 0xffffffffn).toString(16) : `${(v6 >> 64n).toString(16)}::`;
}
