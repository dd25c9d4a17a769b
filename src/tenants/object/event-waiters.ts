/** The most calls that wait for events of one tenant, and those of one application. */
const MAX_WAITERS_PER_TENANT = 100;
const MAX_WAITERS_PER_APPLICATION = 10;

/** A call that waits, at most `waitMs`, for an event of these types above a position of the outbox. */
export interface EventWait {
  readonly applicationId: number;
  readonly after: number;
  readonly types: readonly string[];
  readonly waitMs: number;
}

/** The highest recorded position of each event type. */
export type EventPositions = Readonly<Record<string, number>>;

/** How a wait ended: an event came, the time is over, or too many calls wait already. */
export type WaitEnd = 'recorded' | 'elapsed' | 'busy';

/** One waiting call. */
interface Waiter extends EventWait {
  readonly wake: (end: WaitEnd) => void;
}

/**
 * The calls that wait for one tenant's events, in memory: a wake that is lost costs latency only, because each
 * call reads the outbox when its wait ends.
 */
export class EventWaiters {
  /** The announced positions: an event may be recorded between a call's read and its wait. */
  private readonly latest = new Map<string, number>();
  private readonly waiting = new Set<Waiter>();

  /** Records new positions and wakes the calls that wait for these types. */
  announce(positions: EventPositions): void {
    for (const [type, position] of Object.entries(positions)) {
      this.latest.set(type, Math.max(position, this.latest.get(type) ?? 0));
    }
    for (const waiter of this.waiting) if (this.isOver(waiter)) waiter.wake('recorded');
  }

  /** Waits for an event. Returns at once if one is known already, or if too many calls wait. */
  wait(request: EventWait): Promise<WaitEnd> {
    if (this.isOver(request)) return Promise.resolve('recorded');
    if (this.isFull(request.applicationId)) return Promise.resolve('busy');
    return new Promise((resolve) => {
      const timer = setTimeout(() => waiter.wake('elapsed'), request.waitMs);
      const waiter: Waiter = {
        ...request,
        wake: (end) => {
          clearTimeout(timer);
          this.waiting.delete(waiter);
          resolve(end);
        },
      };
      this.waiting.add(waiter);
    });
  }

  private isOver({ types, after }: EventWait): boolean {
    return types.some((type) => (this.latest.get(type) ?? 0) > after);
  }

  private isFull(applicationId: number): boolean {
    const own = [...this.waiting].filter((waiter) => waiter.applicationId === applicationId);
    return this.waiting.size >= MAX_WAITERS_PER_TENANT || own.length >= MAX_WAITERS_PER_APPLICATION;
  }
}
