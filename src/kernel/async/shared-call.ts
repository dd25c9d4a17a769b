import { isRecent, now } from '../core/clock.ts';
import { shareable } from './shareable-promise.ts';

/**
 * A call that the concurrent requests of an isolate share: while one is pending, others await its result. A call
 * whose request was cancelled never settles, so after `maxAgeMs` the next request starts another one.
 */
export class SharedCall<Answer> {
  private pending: { readonly answer: Promise<Answer>; readonly since: number } | null = null;

  constructor(private readonly maxAgeMs: number) {}

  /** Whether a call is pending. */
  get isPending(): boolean {
    return this.pending !== null && isRecent(this.pending.since, this.maxAgeMs);
  }

  /** Returns the result of the pending call, or else of a new one. It must outlive the request that started it. */
  join(start: () => Promise<Answer>): Promise<Answer> {
    if (this.pending && this.isPending) return this.pending.answer;
    const answer: Promise<Answer> = shareable(
      start().finally(() => {
        if (this.pending?.answer === answer) this.pending = null;
      }),
    );
    this.pending = { answer, since: now() };
    return answer;
  }
}
