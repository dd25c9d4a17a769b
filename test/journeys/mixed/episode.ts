import { MINUTE, moveClock } from '../../../src/kernel/core/clock.ts';
import { auditEverything } from '../../support/auditor/index.ts';
import type { Fault } from '../../support/auditor/rule.ts';
import { runCron } from '../../support/cron.ts';
import { Caller } from '../../support/faults/caller.ts';
import { FaultInjector } from '../../support/faults/injector.ts';
import type { Replica } from '../../support/faults/lagging-replica.ts';
import { FaultyQueues } from '../../support/faults/queues.ts';
import { createProduct } from '../../support/fixtures/catalog/products.ts';
import { sandboxShop } from '../../support/fixtures/selling/checkout.ts';
import { settle } from '../../support/fixtures/selling/outcomes.ts';
import { promote, promoteByCode } from '../../support/fixtures/selling/promotions.ts';
import type { World } from '../../support/world.ts';
import { Ledger } from './ledger.ts';
import { RandomMerchant, type Sold } from './merchant.ts';
import { Receivers } from './receivers.ts';
import { RandomShopper } from './shopper.ts';

/** How much an episode is. */
export interface Size {
  readonly shoppers: number;
  readonly rounds: number;
  /** The share of calls of bindings that fail. */
  readonly share: number;
}

/** What an episode was, and what is wrong after it. */
export interface Report {
  readonly faults: readonly Fault[];
  readonly requests: number;
  readonly calls: number;
  readonly messages: number;
  readonly events: number;
  readonly orders: number;
  /** Injected faults by kind. */
  readonly injected: Readonly<Record<string, number>>;
  /** Responses by status; 0 for those that were lost. */
  readonly statuses: Readonly<Record<string, number>>;
}

/** Units of each product at first: few enough that some sell out. */
const STOCK = 12;
/** Things that each person does before the minute's cron. */
const ACTS = 4;
/** Receivers of webhooks; the second one wants its events in order. */
const RECEIVERS = 2;
/** Hours of webhooks' retries after the last fault: each at least doubles its delay. */
const RETRY_HOURS = [0, 1, 1, 6, 12, 24];

/** A shop, whose goods two promotions reduce until they are used up. */
async function openShop(): Promise<{ shop: World; goods: readonly Sold[] }> {
  const shop = await sandboxShop({
    settings: { tax: { mode: 'inclusive', rate_percent: 19 }, shipping: { flat: 4.9 } },
  });
  const goods: Sold[] = [];
  for (const name of ['Blue cup', 'Red cup', 'Plate']) {
    const { body } = await createProduct(shop, { name, stock: STOCK });
    goods.push({ id: body.id, sku: body.sku });
  }
  await promote(shop, { combinable: true, max_uses: 4 });
  await promoteByCode(shop, 'FEW', { combinable: true, max_uses: 2 });
  return { shop, goods };
}

/** The works of one episode, all of which draw their luck from its seed. */
class Episode {
  readonly queues = new FaultyQueues();
  readonly faults: FaultInjector;
  readonly ledger: Ledger;
  readonly receivers: Receivers;
  readonly callers: Caller[] = [];
  private readonly releaseQueues = this.queues.takeFromObjects();

  constructor(
    readonly shop: World,
    seed: number,
    readonly size: Size,
  ) {
    this.faults = new FaultInjector(seed, size.share, { bindings: this.queues.env });
    this.ledger = new Ledger(shop);
    this.receivers = new Receivers(shop, this.faults, 4 * size.share);
  }

  private caller(name: string): Caller {
    const caller = new Caller(this.shop, name, this.faults.worker(name));
    this.callers.push(caller);
    return caller;
  }

  actors(goods: readonly Sold[]): { act: () => Promise<void> }[] {
    const shown = { products: goods.map(({ id }) => id), codes: ['FEW', 'NONE'] };
    const shoppers = Array.from({ length: this.size.shoppers }, (_, n) => {
      const name = `shopper ${n}`;
      return new RandomShopper(this.caller(name), shown, this.ledger, this.faults.luck(name));
    });
    const merchant = new RandomMerchant(
      this.caller('merchant'),
      goods,
      this.ledger,
      this.faults.luck('merchant'),
    );
    return [...shoppers, merchant];
  }

  /** Runs the minute's cron: on time, not at all, or twice at once; its messages may be lost and repeated. */
  async cron(): Promise<void> {
    const luck = this.faults.luck('cron');
    const chance = luck();
    const twice = chance < 0.35 ? 2 : 1;
    const runs = chance < 0.2 ? 0 : twice;
    const deliver = <Message>(one: Message): Message[] => {
      const drawn = luck();
      if (drawn < 0.05) return [];
      return drawn < 0.1 ? [one, one] : [one];
    };
    const bindings = this.faults.worker('cron');
    await Promise.all(Array.from({ length: runs }, () => runCron({ bindings, deliver })));
  }

  /** Lets an hour pass without a fault, and as many more as a webhook's retries take. */
  async recover(): Promise<void> {
    this.receivers.mend();
    await this.queues.drain();
    await settle(this.queues.env);
    for (const hours of RETRY_HOURS) {
      moveClock(hours * 60 * MINUTE);
      await runCron({ bindings: this.queues.env });
      await this.queues.drain();
      await this.receivers.ring();
    }
    this.releaseQueues();
  }
}

/** Adds up records of counts. */
function summed(records: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sum: Record<string, number> = {};
  for (const [name, count] of records.flatMap((record) => Object.entries(record))) {
    sum[name] = (sum[name] ?? 0) + count;
  }
  return sum;
}

/** Somebody who does one thing after the other. */
export interface Actor {
  readonly act: () => Promise<void>;
}

/** Returns somebody who acts beside the shoppers and the merchant, with bindings that fail. */
export type Beside = (shop: World, bindings: Env) => Promise<Actor>;

/**
 * Lets people shop while things fail, then audits. A seed repeats what they do, and each fault. `beside` acts in the
 * same rounds, and once more when nothing fails any more.
 */
export async function runEpisode(
  seed: number,
  size: Size,
  { replica, beside }: { readonly replica?: Replica; readonly beside?: Beside },
): Promise<Report> {
  const { shop, goods } = await openShop();
  const episode = new Episode(shop, seed, size);
  const [failing, sound] = [
    await beside?.(shop, episode.faults.worker('beside')),
    await beside?.(shop, episode.queues.env),
  ];
  for (let n = 0; n < RECEIVERS; n++) await episode.receivers.add(n === 1);
  const actors: Actor[] = [...episode.actors(goods), ...(failing ? [failing] : [])];
  await replica?.begin();
  for (let round = 0; round < size.rounds; round++) {
    await Promise.all(
      actors.map(async (actor) => {
        for (let n = 0; n < ACTS; n++) await actor.act();
      }),
    );
    await episode.queues.deliver(episode.faults);
    await episode.receivers.ring();
    const luck = episode.faults.luck('clock');
    if (luck() < 0.3) moveClock(Math.floor(luck() * 20 * MINUTE));
    await episode.cron();
  }
  await sound?.act();
  await episode.recover();
  replica?.pause();
  const faults = [
    ...(await auditEverything(shop)),
    ...(await episode.ledger.audit()),
    ...episode.receivers.audit(),
  ];
  const statuses = summed(episode.callers.map((caller) => caller.statuses));
  return {
    faults,
    requests: Object.values(statuses).reduce((sum, count) => sum + count, 0),
    calls: episode.faults.calls,
    messages: episode.queues.delivered,
    events: episode.receivers.events,
    orders: (await shop.get('/orders')).body.meta.total,
    injected: episode.faults.injected,
    statuses,
  };
}
