import type { Context } from 'hono';
import { parseV4, parseV6 } from '../core/ip.ts';
import { invalid, ok, type Result } from '../core/result.ts';
import type { App } from './context.ts';

/** The header in which a storefront's server, which speaks for many shoppers, says for whom it does. */
export const BUYER_IP = 'X-Buyer-IP';

/** What an endpoint that calls {@link buyerNetwork} declares of its headers. */
export const buyerHeaders = {
  [BUYER_IP]:
    "The shopper's IP address: attempts are limited by its network (IPv4 address, IPv6 /64). Believed from applications marked `server_side` in requests without `Origin`, where anything but one IP address is 422; ignored from all others, whose connecting address counts.",
};

/** IPv4 addresses that are written as IPv6 (RFC 4291, 2.5.5.2) begin with this. */
const MAPPED = 0xffffn;

/**
 * Returns the network of the shopper, under which attempts are counted: see {@link networkOf}.
 * {@link BUYER_IP} counts only from an application that is marked `server_side`, and without `Origin`: whatever
 * runs in a browser or on a phone could claim any address. Otherwise it is the {@link connectingNetwork}.
 * A believed header that is no IP address is a `validation_error`.
 */
export function buyerNetwork(c: Context<App>): Result<string> {
  const believed = c.get('caller').serverSide && c.req.header('origin') === undefined;
  const claimed = believed ? c.req.header(BUYER_IP) : undefined;
  if (claimed === undefined) return ok(connectingNetwork(c));
  const network = networkOf(claimed.trim());
  return network === null ? invalid(BUYER_IP, 'must be one IP address') : ok(network);
}

/** Returns the network that a request comes from; "" where that is unknown, as in development. */
export const connectingNetwork = (c: Context<App>): string =>
  networkOf(c.req.header('cf-connecting-ip') ?? '') ?? '';

/**
 * Returns what limits count an address under, or `null` for a string that is none: an IPv4 address, or the
 * 64-bit network of an IPv6 one, since one household has all of it. IPv4 written as IPv6 counts as IPv4.
 */
export function networkOf(text: string): string | null {
  const v4 = parseV4(text);
  if (v4 !== null) return v4.toString(16);
  const v6 = parseV6(text);
  if (v6 === null) return null;
  return v6 >> 32n === MAPPED ? (v6 & 0xffffffffn).toString(16) : `${(v6 >> 64n).toString(16)}::`;
}
