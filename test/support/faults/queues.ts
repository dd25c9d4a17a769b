/** Queues in memory whose messages come late, twice and out of order, as at-least-once delivery allows. */
import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { vi } from 'vitest';
import worker from '../../../src/index.ts';
import { shuffled } from '../seeded-random.ts';
import type { FaultInjector } from './injector.ts';

/** The queues by their bindings, with the largest batch of each consumer in wrangler.toml. */
const QUEUES = {
  SEARCH_QUEUE: { name: 'search-index', size: 50 },
  WEBHOOK_QUEUE: { name: 'webhook-events', size: 100 },
  IMPORT_QUEUE: { name: 'imports', size: 1 },
  RELIST_QUEUE: { name: 'relistings', size: 1 },
} as const;
type Binding = keyof typeof QUEUES;

interface Message {
  readonly id: string;
  readonly binding: Binding;
  readonly body: unknown;
  readonly attempts: number;
}

/** Of all messages, those that are kept for later, and those that come again although they were acknowledged. */
const LATE = 0.15;
const REPEATED = 0.1;
/** No journey needs more deliveries: messages that cause each other for ever fail the test. */
const MAX_ROUNDS = 200;

/** The queues of a Worker, but for that of the cron, which has one of its own: see cron.ts. */
export class FaultyQueues {
  /** The real bindings with these queues. */
  readonly env: Env;
  delivered = 0;
  private waiting: Message[] = [];
  private sent = 0;

  constructor() {
    const queues = Object.keys(QUEUES).map((name) => {
      const binding = name as Binding; // a key of the record above
      const send = async (body: unknown) => this.add(binding, body);
      const sendBatch = async (messages: Iterable<{ body: unknown }>) => {
        for (const { body } of messages) this.add(binding, body);
      };
      return [binding, { send, sendBatch }] as const;
    });
    this.env = { ...env, ...Object.fromEntries(queues) } as Env; // with all that is called of a queue
  }

  /** Takes what objects send as well, whose bindings are the real ones, until the returned function is called. */
  takeFromObjects(): () => void {
    const spies = Object.keys(QUEUES).flatMap((name) => {
      const binding = name as Binding; // a key of the record above
      // Messages of all queues are kept alike.
      const [own, real] = [this.env[binding] as Queue<unknown>, env[binding] as Queue<unknown>];
      return [
        vi.spyOn(real, 'send').mockImplementation(own.send),
        vi.spyOn(real, 'sendBatch').mockImplementation(own.sendBatch),
      ];
    });
    return () => {
      for (const spy of spies) spy.mockRestore();
    };
  }

  private add(binding: Binding, body: unknown, { attempts = 1 } = {}): void {
    this.sent += 1;
    this.waiting.push({ id: String(this.sent), binding, body: structuredClone(body), attempts });
  }

  /** Delivers what waits, in any order: some of it later, some of it twice. */
  async deliver(faults: FaultInjector): Promise<void> {
    const luck = faults.luck('queues');
    const all = shuffled(this.waiting, luck);
    this.waiting = all.filter(() => luck() < LATE);
    const late = new Set(this.waiting);
    const due = all.filter((message) => !late.has(message));
    const again = due.filter(() => luck() < REPEATED);
    await this.consume(due, (binding) => faults.worker(`queue ${binding}`));
    await this.consume(again, (binding) => faults.worker(`queue ${binding}`));
  }

  /** Delivers everything without faults, until nothing is left. */
  async drain(): Promise<void> {
    for (let round = 0; this.waiting.length > 0; round++) {
      if (round === MAX_ROUNDS) throw new Error(`Messages without end: ${JSON.stringify(this.waiting[0])}`);
      const due = this.waiting;
      this.waiting = [];
      await this.consume(due, () => this.env);
    }
  }

  private async consume(messages: readonly Message[], bindings: (binding: Binding) => Env): Promise<void> {
    for (const [binding, own] of Map.groupBy(messages, (message) => message.binding)) {
      const { size } = QUEUES[binding];
      for (let start = 0; start < own.length; start += size) {
        await this.consumeBatch(binding, own.slice(start, start + size), bindings(binding));
      }
    }
  }

  /** Runs the consumer; enqueues again what it retries, or everything that it did not acknowledge when it fails. */
  private async consumeBatch(binding: Binding, messages: readonly Message[], bindings: Env): Promise<void> {
    this.delivered += messages.length;
    const timestamp = new Date();
    const batch = createMessageBatch(
      QUEUES[binding].name,
      messages.map(({ id, body, attempts }) => ({ id, body, attempts, timestamp })),
    );
    const ctx = createExecutionContext();
    const failed = await worker.queue(batch, bindings, ctx).then(
      () => false,
      () => true,
    );
    const { explicitAcks, retryMessages } = await getQueueResult(batch, ctx);
    const retried = new Set(retryMessages.map(({ msgId }) => msgId));
    for (const { id, body, attempts } of messages) {
      const again = failed ? !explicitAcks.includes(id) : retried.has(id);
      if (again) this.add(binding, body, { attempts: attempts + 1 });
    }
  }
}
