import { expect, it } from 'vitest';
import { callStatements } from '../../src/insights/index.ts';
import { DAY, HOUR, now } from '../../src/kernel/core/clock.ts';
import { batch } from '../../src/kernel/data/database.ts';
import { contextOf } from '../support/runtime/runtime.ts';
import { measureDatabase } from '../support/storage/database-usage.ts';
import { world } from '../support/world.ts';

const APPLICATIONS = 20;
const HOURS = 60 * 24;

it('adds up the calls of many applications by the day', async () => {
  const shop = await world();
  const thisHour = now() - (now() % HOUR);
  const hours = Array.from({ length: HOURS }, (_, n) => ({
    start: thisHour - n * HOUR,
    calls: 1,
    clientErrors: 0,
    serverErrors: 0,
  }));
  const { db, tenantId } = contextOf(shop);
  for (let applicationId = 1; applicationId <= APPLICATIONS; applicationId++) {
    await batch(db, callStatements(db, { tenantId, applicationId, hours }));
  }
  const { read } = await measureDatabase(async () => {
    const { body } = await shop.get('/insights?period=30d');
    const ofPeriod = 29 * 24 + (thisHour % DAY) / HOUR + 1;
    const expected = ofPeriod * APPLICATIONS;
    expect([body.api.calls, body.api.previous.calls]).toEqual([expected, expected]);
  });
  // Two periods of 30 days, and the hours of the day in which the first of them ends: read, sorted, and read again.
  expect(read).toBeLessThan(4 * (60 + 24) * APPLICATIONS);
});
