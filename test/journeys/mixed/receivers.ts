import { runDurableObjectAlarm } from 'cloudflare:test';
import { EVENT_TYPES } from '../../../src/events/index.ts';
import type { Fault } from '../../support/auditor/rule.ts';
import { evict, type FaultInjector } from '../../support/faults/injector.ts';
import { objectOf, subscribe, verify } from '../../support/fixtures/webhooks.ts';
import { listen } from '../../support/runtime/internet.ts';
import { pickFrom } from '../../support/seeded-random.ts';
import type { World } from '../../support/world.ts';

/** Responses of a receiver in trouble. The last one has received the event. */
const FAILURES = ['500', '429', 'refused', 'lost'] as const;

/** A webhook's receiver: it fails for a share of its requests until it is mended. */
class Receiver {
  /** Events as they were accepted: the id, and what they are about. */
  readonly accepted: { id: string; resource: string; sequence: number }[] = [];
  constructor(
    readonly webhookId: number,
    readonly ordered: boolean,
  ) {}
}

/** Returns what an event is about: the order, or the item whose stock changed, or the product. */
const resourceOf = (type: string, data: { id?: string; sku?: string; product_id?: number }): string =>
  `${type.split('.')[0]} ${type === 'stock.changed' ? data.sku : (data.id ?? data.product_id)}`;

/** The receivers of a shop's events, of which one wants them in order. */
export class Receivers {
  readonly all: Receiver[] = [];
  private mended = false;

  constructor(
    private readonly shop: World,
    private readonly faults: FaultInjector,
    private readonly share: number,
  ) {}

  /** Registers a webhook for all events. */
  async add(ordered: boolean): Promise<void> {
    const host = `${crypto.randomUUID()}.example.com`;
    const { id, secret } = await subscribe(this.shop, `https://${host}/hook`, [...EVENT_TYPES], { ordered });
    const receiver = new Receiver(id, ordered);
    const name = `receiver ${this.all.length}`;
    this.all.push(receiver);
    listen(host, (received) => {
      const { id: event, type, data } = verify(secret, received);
      const luck = this.faults.luck(name);
      const failure = !this.mended && luck() < this.share ? pickFrom(FAILURES, luck) : null;
      if (failure === '500') return new Response('no', { status: 500 });
      if (failure === '429') return new Response(null, { status: 429, headers: { 'retry-after': '30' } });
      if (failure === 'refused') throw new TypeError('Connection refused');
      receiver.accepted.push({ id: event, resource: resourceOf(type, data), sequence: data.sequence });
      if (failure === 'lost') throw new TypeError('Connection reset');
      return new Response(null, { status: 204 });
    });
  }

  /** The number of accepted requests. */
  get events(): number {
    return this.all.reduce((sum, { accepted }) => sum + accepted.length, 0);
  }

  /** Returns the events that came out of order to a receiver that wants them in order. */
  audit(): Fault[] {
    const late = this.all
      .filter(({ ordered }) => ordered)
      .flatMap(({ accepted }) => {
        const newest = new Map<string, number>();
        return accepted.filter(({ resource, sequence }) => {
          const before = newest.get(resource) ?? 0;
          newest.set(resource, Math.max(before, sequence));
          return sequence < before;
        });
      });
    return late.length > 0
      ? [{ rule: 'an ordered webhook gets the events of a resource in order', rows: late }]
      : [];
  }

  /** From now on every request succeeds. */
  mend(): void {
    this.mended = true;
  }

  /** Rings the alarms of all webhooks, some of which are evicted from memory before. */
  async ring(): Promise<void> {
    await Promise.all(
      this.all.map(async ({ webhookId }, n) => {
        const luck = this.faults.luck(`webhook ${n}`);
        const object = objectOf(this.shop, webhookId);
        if (!this.mended && luck() < 0.3) await evict(object);
        await runDurableObjectAlarm(object).catch(() => undefined);
      }),
    );
  }
}
