import { z } from '@hono/zod-openapi';

/**
 * What an error asks for: another request (`recoverable`), the buyer on the business's page (`requires_buyer_input`,
 * `requires_buyer_review`), or a new resource (`unrecoverable`).
 */
const SEVERITIES = ['recoverable', 'requires_buyer_input', 'requires_buyer_review', 'unrecoverable'] as const;

const shared = {
  content: z.string(),
  content_type: z.enum(['plain', 'markdown']).optional(),
  /** RFC 9535 JSONPath of what the message is about. */
  path: z.string().optional(),
};

/** A message that blocks, or an error that ended the operation. */
export const ErrorMessage = z.object({
  type: z.literal('error'),
  code: z.string(),
  severity: z.enum(SEVERITIES),
  ...shared,
});
export type ErrorMessage = z.infer<typeof ErrorMessage>;

/** A message of a response: what the agent must mend, must show, or may use. */
export const Message = z.discriminatedUnion('type', [
  ErrorMessage,
  z.object({
    type: z.literal('warning'),
    code: z.string(),
    presentation: z.string().optional(),
    image_url: z.url().optional(),
    url: z.url().optional(),
    ...shared,
  }),
  z.object({ type: z.literal('info'), code: z.string().optional(), ...shared }),
]);
export type Message = z.infer<typeof Message>;
