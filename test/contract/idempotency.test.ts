import { beforeAll, describe, expect, it, vi } from 'vitest';
import { endpoints } from '../../src/app.ts';
import { moveClock } from '../../src/kernel/core/clock.ts';
import { takesKey } from '../../src/kernel/openapi/operation.ts';
import { expectProblem, nameOf, prepared, sampleOf } from '../support/contract/endpoint-calls.ts';
import { beforeBatch } from '../support/faults/database.ts';
import { type Answer, type World, world } from '../support/world.ts';

/** What every endpoint that takes an Idempotency-Key must do when its runs meet, made from the list of endpoints. */

const keyed = endpoints.map(({ spec }) => spec).filter(takesKey);
/** The statement by which a write notes what it made, in its own batch. */
const MARKS = /update "idempotency_keys" set "ref"/i;
/** Longer than a run is taken for alive (ms). */
const LOCK = 31_000;

let shop: World;
beforeAll(async () => {
  shop = await world({ plan: 'enterprise' });
});

describe.each(keyed.map((spec) => [nameOf(spec), spec] as const))('%s', (_, spec) => {
  /** The same call under one key, as often as it is asked for. */
  async function repeatable(): Promise<() => Promise<Answer>> {
    const params = (await sampleOf(spec).params?.(shop)) ?? {};
    return prepared(spec, shop, params, { headers: { 'idempotency-key': crypto.randomUUID() } });
  }

  /** Either done, or asked to retry. */
  function expectDone(answer: Answer): void {
    if (answer.status === (spec.status ?? 200)) return;
    expectProblem(answer, 409, 'idempotency_in_progress');
  }

  it('answers concurrent calls alike, or asks them to retry', async () => {
    const again = await repeatable();
    const answers = await Promise.all(Array.from({ length: 8 }, again));
    for (const answer of answers) expectDone(answer);
    const last = await again();
    for (const { status, body } of answers) if (status !== 409) expect(body).toEqual(last.body);
  });

  it('discards the writes of a run that its retry has overtaken', async () => {
    const again = await repeatable();
    let retry: Answer | undefined;
    beforeBatch(MARKS, async () => {
      moveClock(LOCK);
      retry = await again();
    });
    const first = await again();
    vi.restoreAllMocks();
    expectDone(first);
    // Where nothing is noted, doing it again is harmless.
    if (!retry) return;
    expect(retry.status, JSON.stringify(retry.body)).toBe(spec.status ?? 200);
    expect((await again()).body).toEqual(retry.body);
  });
});
