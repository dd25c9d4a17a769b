import type { Fetch } from './transport.ts';

/** A shopper's tokens. */
export interface Session {
  /** The cart; null before the first item. */
  readonly cartToken: string | null;
  /** The customer's session; null for a guest. */
  readonly customerToken: string | null;
}

/** What {@link createClient} takes. */
export interface ClientOptions {
  /** The service's address: `https://api.example.com`. */
  readonly baseUrl: string;
  /** The application's token. */
  readonly token: string;
  /** The shopper's tokens, as `onSession` was given them. */
  readonly session?: Partial<Session> | undefined;
  /** Stores the shopper's tokens; called whenever one of them changes. */
  readonly onSession?: ((session: Session) => void) | undefined;
  /** The shopper's address, from a storefront's server whose application is `server_side`. */
  readonly buyerIp?: string | undefined;
  /** Default: the global `fetch`. */
  readonly fetch?: Fetch | undefined;
  /** Milliseconds that one attempt may take; 15,000 by default. */
  readonly timeoutMs?: number | undefined;
  /** The number of retries after the first attempt; 2 by default. */
  readonly retries?: number | undefined;
  /** The longest `Retry-After` that is waited for; 20 by default. Beyond it, the error is the caller's. */
  readonly maxRetryAfterSeconds?: number | undefined;
}
