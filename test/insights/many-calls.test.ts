import { expect, it } from 'vitest';
import { DAY, HOUR, now } from '../../src/kernel/core/clock.ts';
import { storeOf } from '../support/runtime/runtime.ts';
import { measureDatabase } from '../support/storage/database-usage.ts';
import { world } from '../support/world.ts';

const APPLICATIONS = 20;
const HOURS = 60 * 24;

it('adds up the calls of many applications without sorting their hours', async () => {
  const shop = await world();
  const thisHour = now() - (now() % HOUR);
  await storeOf(shop)
    .prepare(
      `WITH RECURSIVE hours (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM hours WHERE n < ${HOURS - 1}),
         applications (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM applications WHERE n < ${APPLICATIONS})
       INSERT INTO call_hours (tenant_id, start, application_id, calls, client_errors, server_errors)
       SELECT ?, ? - hours.n * ${HOUR}, -applications.n, 1, 0, 0 FROM hours, applications WHERE true`,
    )
    .bind(shop.tenantId, thisHour)
    .run();
  const { read } = await measureDatabase(async () => {
    const { body } = await shop.get('/insights?period=30d');
    const hours = 29 * 24 + (thisHour % DAY) / HOUR + 1;
    expect([body.api.calls, body.api.previous.calls]).toEqual([hours * APPLICATIONS, hours * APPLICATIONS]);
  });
  // Each hour of both periods once, and those of this one, by application, once more and sorted.
  expect(read).toBeLessThan(2.2 * HOURS * APPLICATIONS);
});
