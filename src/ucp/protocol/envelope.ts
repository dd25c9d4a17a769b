import type { RootName } from './capabilities.ts';
import { type Negotiation, relevant } from './negotiate.ts';
import type { ProtocolError, Rejected } from './outcome.ts';
import { UCP_VERSION } from './version.ts';

/** The `ucp` member of a response. */
export interface Envelope {
  readonly version: string;
  readonly status: 'success' | 'error';
  readonly capabilities: Readonly<Record<string, readonly { readonly version: string }[]>>;
  readonly payment_handlers?: Readonly<Record<string, never>>;
}

/**
 * Returns the envelope of an operation's response. Checkouts name payment handlers: there are none, because the buyer
 * pays on the hosted checkout page.
 */
export function envelope(status: Envelope['status'], negotiated: Negotiation, root: RootName): Envelope {
  const version = UCP_VERSION;
  return {
    version,
    status,
    capabilities: Object.fromEntries(relevant(negotiated, root).map((name) => [name, [{ version }]])),
    ...(root === 'dev.ucp.shopping.checkout' && { payment_handlers: {} }),
  };
}

/** Returns the body of a business outcome. */
export const rejectionBody = (
  ucp: Envelope,
  { messages, continueUrl }: Rejected,
  fallback: string | undefined,
) => ({
  ucp,
  messages,
  ...((continueUrl ?? fallback) && { continue_url: continueUrl ?? fallback }),
});

/** Returns the body of a protocol error: over REST the whole body, over MCP the `data` of the JSON-RPC error. */
export const errorBody = ({ code, content, continueUrl }: ProtocolError) => ({
  code,
  content,
  ...(continueUrl !== undefined && { continue_url: continueUrl }),
});
