import { z } from '@hono/zod-openapi';

/** The version of the Universal Commerce Protocol that is spoken here, for protocol and capabilities. */
export const UCP_VERSION = '2026-04-08';

/** Where the protocol's own documents of this version are. */
export const UCP_DOCUMENTS = `https://ucp.dev/${UCP_VERSION}`;

/** A version as the protocol writes it: a date. */
export const Version = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);

/** A name that begins with the owner's domain in reverse: `dev.ucp.shopping.cart`. */
export const ReverseDomainName = z.string().regex(/^[a-z][a-z0-9]*(?:\.[a-z][a-z0-9_]*)+$/);
