import { rawText } from '../../kernel/text/text.ts';

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
/** 1 to 65535. */
const PORT = '(?:[1-9]\\d{0,3}|[1-5]\\d{4}|6[0-4]\\d{3}|65[0-4]\\d{2}|655[0-2]\\d|6553[0-5])';
/** A host name with an optional port. Its last label is not a number, which would make it an IPv4 address. */
const HOST = new RegExp(`^(?:(?:${LABEL}\\.)+(?!\\d+(?::|$))${LABEL}|localhost)(?::${PORT})?$`);

/** Schema of a host as URLs write it: without the default port 443. */
export const Host = rawText(259, {
  pattern: [
    HOST,
    'must be a host name such as shop.example.com, optionally with a port; an international one in ASCII (xn--…)',
  ],
})
  .refine(
    (text) => text.replace(/:\d+$/, '').length <= 253,
    'must have at most 253 characters before its port',
  )
  .overwrite((text) => text.replace(/:443$/, ''));
