import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isPublicAddress } from '../../../src/webhooks/sending/ip-ranges.ts';

const SPECIAL = [
  ...['0.0.0.0', '0.255.255.255', '10.0.0.0', '10.255.255.255', '100.64.0.0', '100.127.255.255'],
  ...['127.0.0.1', '127.255.255.255', '169.254.169.254', '172.16.0.0', '172.31.255.255', '192.0.0.1'],
  ...['192.0.0.170', '192.0.2.1', '192.31.196.1', '192.52.193.1', '192.88.99.1', '192.168.0.1'],
  ...['192.175.48.1', '198.18.0.1', '198.19.255.255', '198.51.100.1', '203.0.113.1', '224.0.0.1'],
  ...['239.255.255.255', '240.0.0.1', '255.255.255.255'],
  ...['::', '::1', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '::8.8.8.8', '64:ff9b::8.8.8.8', '64:ff9b:1::1'],
  ...['100::1', '100:0:0:1::1', '2001::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2', '2001:2::1', '2001:3::1'],
  ...['2001:4:112::1', '2001:10::1', '2001:20::1', '2001:30::1', '2001:1ff:ffff::1', '2001:db8::1'],
  ...['2002:7f00:1::', '2620:4f:8000::1', '3fff::1', '3fff:fff:ffff::1', '5f00::1', 'fc00::1', 'fdff::1'],
  ...['fe80::1', 'febf::1', 'fec0::1', 'ff02::1', 'FE80::1', '0:0:0:0:0:0:0:1'],
];

const PUBLIC = [
  ...['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255'],
  ...['128.0.0.0', '169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0', '192.0.1.0'],
  ...['192.88.98.255', '192.167.255.255', '192.169.0.0', '198.17.255.255', '198.20.0.0', '223.255.255.255'],
  ...['2001:200::1', '2001:4860:4860::8888', '2606:4700:4700::1111', '2a00:1450:4001:81b::200e'],
  ...['2003::1', '2620:4f:8001::1', '3ffe::1', '2001:db7:ffff::1', '2001:DB9::1'],
];

const NONE = [
  ...['', 'localhost', '1.2.3', '1.2.3.4.5', '256.1.1.1', '1.2.3.4/8', '0x7f.0.0.1', '1.2.3.-4', ' 8.8.8.8'],
  ...[':', ':::', '1::2::3', '2606:4700', '2606:4700::1111::', 'g::1', '12345::1', '2606:4700::1%eth0'],
  ...['1:2:3:4:5:6:7:8:9', '2606:4700:4700:0:0:0:0:1111::', '[2606:4700:4700::1111]', '2606::1.2.3.999'],
];

it.each(SPECIAL)('%s is in a special range', (address) => expect(isPublicAddress(address)).toBe(false));
it.each(PUBLIC)('%s is public', (address) => expect(isPublicAddress(address)).toBe(true));
it.each(NONE)('%j is no address, so it is not public', (text) => expect(isPublicAddress(text)).toBe(false));

it('parses every IPv6 notation of an address alike', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(0xffff), { minLength: 8, maxLength: 8 }), (groups) => {
      const plain = groups.map((group) => group.toString(16)).join(':');
      const padded = groups.map((group) => group.toString(16).padStart(4, '0').toUpperCase()).join(':');
      const short = new URL(`http://[${plain}]/`).hostname.slice(1, -1);
      const [a = 0, b = 0] = groups.slice(6);
      const dotted = `${plain.split(':').slice(0, 6).join(':')}:${a >> 8}.${a & 255}.${b >> 8}.${b & 255}`;
      const verdicts = [plain, padded, short, dotted].map(isPublicAddress);
      expect(new Set(verdicts).size, `${plain} ${short} ${dotted}`).toBe(1);
    }),
  );
});
