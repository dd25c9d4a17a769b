import { Caller } from './caller.ts';
import { OPERATIONS } from './generated/operations.ts';
import type { CallOptions, Methods } from './method.ts';
import type { Operation } from './operation.ts';
import type { ClientOptions, Session } from './options.ts';
import type { AnyInput } from './request.ts';

/** A client of the API: its methods by resource, and the shopper's session. */
export type Client = Methods & {
  readonly session: Session;
  /** Replaces tokens of the session: `setSession({ cartToken: null })` leaves the cart. */
  setSession(change: Partial<Session>): void;
};

/**
 * Creates a client for one shopper or one integration. It remembers the shopper's cart and customer session and
 * passes them on, and makes each read at least as fresh as the writes before it.
 */
export function createClient(options: ClientOptions): Client {
  const caller = new Caller(options);
  const resources = Object.entries(OPERATIONS).map(([name, operations]) => [
    name,
    resourceOf(caller, Object.entries(operations)),
  ]);
  const state = {
    get session() {
      return caller.session;
    },
    setSession: (change: Partial<Session>) => caller.setSession(change),
  };
  // The table's keys are those of `Methods`, whose types the document gives.
  return Object.assign(state, Object.fromEntries(resources)) as Client;
}

function resourceOf(caller: Caller, operations: readonly (readonly [string, Operation])[]): object {
  const methods = operations.map(([name, operation]) => {
    const method = (input?: AnyInput, options?: CallOptions) => caller.call(operation, input, options);
    const each = (input?: AnyInput, options?: CallOptions) => caller.each(operation, input, options);
    return [name, operation.list ? Object.assign(method, { each }) : method] as const;
  });
  const list = methods.find(([name]) => name === 'list')?.[1];
  return { ...Object.fromEntries(methods), ...(list && 'each' in list && { each: list.each }) };
}
