/** What responses to agents take of an isolate's memory while they are made. */
import { heldLength } from '../catalog/index.ts';
import { type Kind, learnSize } from '../kernel/async/memory-turns.ts';
import type { ShownProduct } from './catalog/present.ts';

/** Responses of an operation at a tenant, which are alike in size. */
interface Alike {
  readonly tenantId: number;
  /** The operation's name. */
  readonly operation: string;
}

/** Returns the kind of responses that take turns together. */
export const kindOf = ({ tenantId, operation }: Alike): Kind => ({ tenantId, name: `ucp ${operation}` });

/** Remembers how long a response was (characters), for the next ones like it. */
export const learnLength = (alike: Alike, length: number): void => learnSize(kindOf(alike), length);

/** Remembers the length of the products that were read for a response, which shows the beginnings of long texts alone. */
export const learnProducts = (alike: Alike, products: readonly ShownProduct[]): void =>
  learnLength(alike, heldLength(products));
