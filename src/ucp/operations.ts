import { cartOperations } from './cart/operations.ts';
import { catalogOperations } from './catalog/operations.ts';
import { checkoutOperations } from './checkout/operations.ts';
import { orderOperations } from './orders/operations.ts';
import { advertised, type CapabilityName } from './protocol/capabilities.ts';
import type { Operation } from './protocol/operation.ts';

/** Every operation of the protocol. REST routes, MCP tools and the profile's capabilities are made from this table. */
export const operations: readonly Operation[] = [
  ...catalogOperations,
  ...cartOperations,
  ...checkoutOperations,
  ...orderOperations,
];

/** The capabilities that this business advertises. */
export const capabilities: readonly CapabilityName[] = advertised(
  new Set(operations.map(({ spec }) => spec.capability)),
);
