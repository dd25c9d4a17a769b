import { parseV4, parseV6 } from '../../kernel/text/ip.ts';

/**
 * Classifies IP addresses as public or special. Special are all of the IANA special-purpose address
 * registries (IPv4, IPv6) and the multicast and reserved blocks, even where globally reachable. No I/O.
 */

const SPECIAL_V4 = [
  '0.0.0.0/8', // this network (RFC 791)
  '10.0.0.0/8', // private use (RFC 1918)
  '100.64.0.0/10', // carrier-grade NAT (RFC 6598)
  '127.0.0.0/8', // loopback (RFC 1122)
  '169.254.0.0/16', // link local (RFC 3927): cloud metadata services
  '172.16.0.0/12', // private use (RFC 1918)
  '192.0.0.0/24', // IETF protocol assignments (RFC 6890)
  '192.0.2.0/24', // documentation (RFC 5737)
  '192.31.196.0/24', // AS112 (RFC 7535)
  '192.52.193.0/24', // AMT (RFC 7450)
  '192.88.99.0/24', // 6to4 relays (RFC 7526)
  '192.168.0.0/16', // private use (RFC 1918)
  '192.175.48.0/24', // AS112 (RFC 7534)
  '198.18.0.0/15', // benchmarking (RFC 2544)
  '198.51.100.0/24', // documentation (RFC 5737)
  '203.0.113.0/24', // documentation (RFC 5737)
  '224.0.0.0/4', // multicast (RFC 5771)
  '240.0.0.0/4', // reserved, and limited broadcast (RFC 1112, 8190)
];

/** All global unicast addresses (RFC 4291); excludes IPv4-mapped, NAT64 and unique local addresses. */
const GLOBAL_V6 = '2000::/3';

const SPECIAL_V6 = [
  '2001::/23', // IETF protocol assignments: Teredo, benchmarking, AMT, AS112, ORCHID, DRIP (RFC 2928)
  '2001:db8::/32', // documentation (RFC 3849)
  '2002::/16', // 6to4 (RFC 3056)
  '2620:4f:8000::/48', // AS112 (RFC 7534)
  '3fff::/20', // documentation (RFC 9637)
];

interface Block {
  readonly first: bigint;
  /** The number of host bits. */
  readonly free: bigint;
}

const inside = (address: bigint, { first, free }: Block): boolean => address >> free === first >> free;

function block(cidr: string, bits: number, parse: (text: string) => bigint | null): Block {
  const [text = '', length] = cidr.split('/');
  const first = parse(text);
  if (first === null) throw new Error(`${cidr} is not a CIDR block`);
  return { first, free: BigInt(bits - Number(length)) };
}

const specialV4 = SPECIAL_V4.map((cidr) => block(cidr, 32, parseV4));
const specialV6 = SPECIAL_V6.map((cidr) => block(cidr, 128, parseV6));
const globalV6 = block(GLOBAL_V6, 128, parseV6);

/** Returns whether an IP address in text form is public; false if it can't be parsed. */
export function isPublicAddress(text: string): boolean {
  const v4 = parseV4(text);
  if (v4 !== null) return !specialV4.some((special) => inside(v4, special));
  const v6 = parseV6(text);
  if (v6 === null) return false;
  return inside(v6, globalV6) && !specialV6.some((special) => inside(v6, special));
}
