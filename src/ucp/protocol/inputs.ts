import { z } from '@hono/zod-openapi';
import { ReverseDomainName } from './version.ts';

/** What platforms may send with every payload about their side. It is checked and not used. */
export const platformData = {
  signals: z.record(ReverseDomainName, z.unknown()).optional(),
  attribution: z.record(z.string(), z.string()).optional(),
};

/** The benefits that a buyer claims. Those unknown to the shop must not fail a request, however many they are. */
export const Claims = z.array(ReverseDomainName).optional();
