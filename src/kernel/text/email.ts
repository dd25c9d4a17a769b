import { domainToASCII } from 'node:url';
import { z } from '@hono/zod-openapi';

/** An e-mail address as in WHATWG HTML, with a dot in its domain. It does not bound the length: callers do, at 254. */
export const EMAIL_ADDRESS =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)+$/;

/** The longest e-mail address in characters (RFC 5321, 4.5.3.1.3). */
const MAX_EMAIL_LENGTH = 254;

/**
 * Returns an e-mail address with its domain in ASCII (IDNA): some browsers send "ada@müller.de" as it is typed. Other
 * addresses are returned as they are.
 */
export function withAsciiDomain(address: string): string {
  const at = address.lastIndexOf('@') + 1;
  const domain = address.slice(at);
  if (at === 0 || domain.length > MAX_EMAIL_LENGTH || /^[\0-\x7f]*$/.test(domain)) return address;
  const ascii = domainToASCII(domain);
  return ascii === '' ? address : address.slice(0, at) + ascii;
}

/** Schema of an e-mail address in a request, with its domain in ASCII. */
export const EmailAddress = z
  .string()
  .trim()
  .overwrite(withAsciiDomain)
  .max(MAX_EMAIL_LENGTH)
  .regex(EMAIL_ADDRESS, 'must be an e-mail address')
  .openapi({ type: 'string', format: 'email', maxLength: MAX_EMAIL_LENGTH });
