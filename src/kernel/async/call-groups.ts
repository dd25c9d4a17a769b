/** How many calls form a group, and how many wait. */
export interface GroupLimits<Call> {
  /** The most calls of one group. */
  readonly maxCalls: number;
  /** The most units of work of one group; a call of more forms a group of its own. */
  readonly maxWork: number;
  /** The most calls that wait; further ones are refused. */
  readonly maxWaiting: number;
  /** The most units of work that wait; calls beyond are refused, unless nothing waits. */
  readonly maxWaitingWork: number;
  /** Units of work of a call. */
  readonly workOf: (call: Call) => number;
}

interface Waiting<Call, Answer> {
  readonly call: Call;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Runs calls in groups, one group at a time (group commit). A call that finds nothing running starts at once;
 * those that arrive meanwhile form the next groups, so that groups grow with the load and nothing waits for a
 * timer.
 */
export class CallGroups<Call, Answer> {
  private readonly waiting: Waiting<Call, Answer>[] = [];
  private waitingWork = 0;
  private running = false;

  /** `run` returns one answer for each call, in their order. If it throws, all calls of the group fail. */
  constructor(
    private readonly limits: GroupLimits<Call>,
    private readonly run: (calls: readonly Call[]) => Promise<readonly Answer[]>,
  ) {}

  /** How many calls wait for the running group. */
  get waitingCount(): number {
    return this.waiting.length;
  }

  /** Returns the call's answer, or `null` when too many calls, or too much work, wait. */
  async add(call: Call): Promise<Answer | null> {
    const { maxWaiting, maxWaitingWork, workOf } = this.limits;
    const work = this.waitingWork + workOf(call);
    if (this.waitingCount >= maxWaiting || (this.waitingCount > 0 && work > maxWaitingWork)) return null;
    this.waitingWork = work;
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    this.waiting.push({ call, resolve, reject });
    if (!this.running) void this.runAll();
    return promise;
  }

  private async runAll(): Promise<void> {
    this.running = true;
    for (let group = this.take(); group.length > 0; group = this.take()) await this.runGroup(group);
    this.running = false;
  }

  private async runGroup(group: readonly Waiting<Call, Answer>[]): Promise<void> {
    try {
      const answers = await this.run(group.map(({ call }) => call));
      group.forEach(({ resolve, reject }, n) => {
        const answer = answers[n];
        if (answer === undefined) reject(new Error('A group returned too few answers'));
        else resolve(answer);
      });
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }

  /** Takes the next group: the first waiting calls that fit. */
  private take(): Waiting<Call, Answer>[] {
    const { maxCalls, maxWork, workOf } = this.limits;
    let work = 0;
    const beyond = this.waiting.findIndex(({ call }, n) => {
      work += workOf(call);
      return n > 0 && (n >= maxCalls || work > maxWork);
    });
    const group = this.waiting.splice(0, beyond < 0 ? this.waiting.length : beyond);
    for (const { call } of group) this.waitingWork -= workOf(call);
    return group;
  }
}
