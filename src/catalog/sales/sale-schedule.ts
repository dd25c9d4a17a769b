import { DurableObject } from 'cloudflare:workers';
import { DAY, now } from '../../kernel/core/clock.ts';
import { tenantContext } from '../../kernel/data/tenant-context.ts';
import { switchSales } from './switch-sales.ts';

/** How far ahead an alarm is set (ms): the platform refuses those after the year 2189, as of sales that "never" end. */
const MAX_AHEAD_MS = 365 * DAY;

/**
 * Switches a tenant's prices at the instants at which sales begin and end. D1 is the source of truth; the object
 * holds the tenant's id and an alarm. Named by the tenant's id.
 */
export class SaleSchedule extends DurableObject<Env> {
  /** Sets the alarm to `instant` (ms), or to one before that, unless it is set earlier. */
  async wake(tenantId: number, instant: number): Promise<void> {
    this.ctx.storage.kv.put('tenantId', tenantId);
    const set = await this.ctx.storage.getAlarm();
    const at = Math.min(instant, now() + MAX_AHEAD_MS);
    if (set === null || at < set) await this.ctx.storage.setAlarm(at);
  }

  /** Switches what is due, a bounded part at a time, and sets the alarm to the next instant. */
  override async alarm(): Promise<void> {
    const tenantId = this.ctx.storage.kv.get<number>('tenantId');
    if (tenantId === undefined) return;
    const next = await switchSales(tenantContext({ env: this.env, ctx: this.ctx }, tenantId));
    if (next !== null) await this.wake(tenantId, next);
  }
}
