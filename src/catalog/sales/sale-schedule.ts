import { DurableObject } from 'cloudflare:workers';
import { tenantContext } from '../../kernel/data/tenant-context.ts';
import { switchSales } from './switch-sales.ts';

/**
 * Switches a tenant's prices at the instants at which sales begin and end. D1 is the source of truth; the object
 * holds the tenant's id and an alarm. Named by the tenant's id.
 */
export class SaleSchedule extends DurableObject<Env> {
  /** Sets the alarm to `at` (ms) unless it is set earlier. */
  async wake(tenantId: number, at: number): Promise<void> {
    this.ctx.storage.kv.put('tenantId', tenantId);
    const set = await this.ctx.storage.getAlarm();
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
