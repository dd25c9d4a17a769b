import { env } from 'cloudflare:workers';

/** A response that a baseline repeats: one that the service has sent. */
export interface Answer {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

// The benchmark sets the variable; there is no other input.
export const answer = JSON.parse((env as unknown as { ANSWER: string }).ANSWER) as Answer;
