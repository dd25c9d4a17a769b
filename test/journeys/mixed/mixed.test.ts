/**
 * A shop at work while a twentieth of all calls fail: people browse, search, fill carts, buy and pay; the merchant
 * restocks, reprices, imports, sends, refunds and cancels; webhooks and the feed tell others of it. Then an auditor
 * reads all stores. `npm run soak` repeats it for an hour; a seed repeats one episode.
 */
import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest';
import { addLaggingReplica, type Replica } from '../../support/faults/lagging-replica.ts';
import { silenceConsole } from '../../support/fixtures/selling/shopper.ts';
import { type Report, runEpisode, type Size } from './episode.ts';

const minutes = inject('soakMinutes');
const SIZE: Size = { shoppers: 6, rounds: 6, share: 0.05 };
/** How far (ms) the replica is behind that catalogue reads may be served by. */
const LAG_MS = 100;

let replica: Replica;
beforeAll(async () => {
  replica = await addLaggingReplica(LAG_MS);
});
afterAll(() => replica.end());

const describe = (at: number, { faults, ...figures }: Report): string =>
  JSON.stringify({ seed: at, ...figures, faults });

it('leaves everything consistent', { timeout: (minutes + 10) * 60_000 }, async () => {
  const log = console.info.bind(console);
  silenceConsole();
  vi.spyOn(console, 'log').mockReturnValue();
  const end = Date.now() + minutes * 60_000;
  const failed: string[] = [];
  let at = inject('seed');
  do {
    const report = await runEpisode(at, SIZE, { replica });
    log(describe(at, report));
    expect(report.orders, `seed ${at}`).toBeGreaterThan(0);
    expect(report.statuses[500], `seed ${at}`).toBeUndefined();
    if (report.faults.length > 0) failed.push(describe(at, report));
    at += 1;
  } while (Date.now() < end);
  expect(failed).toEqual([]);
});
