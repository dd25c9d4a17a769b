import { catalogContext, violatedPrecondition } from '../../catalog/index.ts';
import { commit } from '../../events/index.ts';
import { now } from '../../kernel/core/clock.ts';
import { batch, type Statement, type Violation, violation } from '../../kernel/data/database.ts';
import type { TenantContext, TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { quotaExceeded, requireTenant } from '../../tenants/index.ts';
import { columnsOf } from '../csv/columns.ts';
import { type CsvItem, readCsv } from '../csv/csv.ts';
import { type Group, groupByHandle, inRounds } from '../csv/groups.ts';
import { byLine, LineErrors, located } from '../csv/line-errors.ts';
import { readChunks } from '../file.ts';
import { endStatements, errorStatements, progressStatements } from '../progress.ts';
import { loadImport, UNFINISHED } from '../store.ts';
import { CHUNK_BYTES, type ImportRow } from '../tables.ts';
import { CategoryPaths } from './category-paths.ts';
import { DryRun, OVER_QUOTA, OVERSOLD, withoutPlanned } from './dry-run.ts';
import { type Plan, type PlanContext, planGroups } from './plan.ts';
import { advanced, statementsFor } from './plan-progress.ts';
import { ScatteredHandles } from './scattered-handles.ts';

/** A run begins no round after this many statements; D1 allows 1,000 in an invocation. */
const MAX_STATEMENTS_BEFORE_ROUND = 350;
/** A run begins no product of a refused round after this many statements. */
const MAX_STATEMENTS_BEFORE_PRODUCT = 700;
/** The most products of a round if stored slots are among them: each such product takes about eight statements. */
const MAX_BOOKINGS_IN_ROUND = 50;
/** Statements of a plan besides its own: those of commit() and of the reads before it. */
const STATEMENTS_AROUND_PLAN = 16;
/** A run begins neither a round nor such a product after this time. */
const RUN_DURATION_MS = 10_000;
/** Attempts at writing a product that is changed concurrently. */
const MAX_WRITE_ATTEMPTS = 5;

/**
 * Imports the next part of a file and returns whether there is more. Idempotent and safe to run concurrently:
 * each batch of writes advances the import from the position it was read at, or is rolled back. Awaits `pause` after
 * each of them.
 */
export async function runImport(
  ctx: TenantContext,
  importId: string,
  pause: () => Promise<void> = async () => undefined,
): Promise<boolean> {
  const { tenantId } = ctx;
  const found = await loadImport(ctx, importId);
  if (!found || !UNFINISHED.includes(found.status)) return false;
  const row = found.header ? found : await readHeader(ctx, found);
  const columns = columnsOf(row?.header ?? []);
  if (!row?.header || typeof columns === 'string') return false;
  const tenant = await requireTenant(ctx);
  const context = catalogContext(ctx, { ...tenant, tenantId });
  const dryRun = row.dryRun ? await DryRun.load(ctx, importId) : null;
  const paths = await CategoryPaths.load(context, dryRun);
  const pictures = { origin: row.origin, slug: tenant.slug };
  const scattered = new ScatteredHandles(ctx, row, columns);
  const planContext = { ...context, ...pictures, columns, paths, scattered, dryRun, isOverQuota: false };
  const run = new Run(planContext, row, pause);
  const from = { offset: row.offset, line: row.line };
  const items = readCsv(readChunks(ctx, row, from.offset), { from, width: row.header.length });
  for await (const groups of inRounds(groupByHandle(items, columns, from))) {
    const result = await run.write(groups);
    if (result !== 'complete') return result === 'partial';
    if (run.isLong()) return true;
  }
  return run.end();
}

/** Reads the header and returns the advanced import; null when the import failed or is already advanced. */
async function readHeader(ctx: TenantDatabase, row: ImportRow): Promise<ImportRow | null> {
  const { value: first } = await readCsv(readChunks(ctx, row, 0)).next();
  const refused = first ? refusal(first) : 'The file is empty.';
  if (first?.kind !== 'record' || refused !== null) {
    const errors = [{ line: first?.line ?? 1, sku: null, field: null, message: refused ?? '' }];
    await attempt(ctx, [
      ...endStatements(ctx, { ...row, errors, failed: 1 }, 'failed'),
      ...errorStatements(ctx, row.id, { from: 0, errors }),
    ]);
    return null;
  }
  const advancedRow: ImportRow = { ...row, header: [...first.cells], ...first.next };
  return (await attempt(ctx, progressStatements(ctx, row, advancedRow))) ? null : advancedRow;
}

/** Returns why a file with this first record can't be imported, or null. */
function refusal(first: CsvItem): string | null {
  if (first.kind !== 'record') return first.message;
  const columns = columnsOf(first.cells);
  return typeof columns === 'string' ? columns : null;
}

/** Runs a batch; returns the constraint that it violated, or null. */
async function attempt({ db }: TenantDatabase, statements: readonly Statement[]): Promise<Violation | null> {
  try {
    await batch(db, statements);
    return null;
  } catch (error) {
    const refused = violation(error);
    if (refused) return refused;
    throw error;
  }
}

/** One run of an import: writes products and tracks the position. */
class Run {
  private context: PlanContext;
  private readonly until = now() + RUN_DURATION_MS;
  private readonly from: number;
  private readonly pause: () => Promise<void>;
  private row: ImportRow;
  private statements = 0;

  constructor(context: PlanContext, row: ImportRow, pause: () => Promise<void>) {
    this.context = context;
    this.pause = pause;
    this.row = row;
    this.from = row.offset;
  }

  /** Returns whether the run has used up its statements or time. */
  isLong(maxStatements = MAX_STATEMENTS_BEFORE_ROUND): boolean {
    const { paths, scattered, dryRun } = this.context;
    const chunks = Math.ceil((this.row.offset - this.from) / CHUNK_BYTES);
    const found = paths.statements + scattered.statements + (dryRun?.statements ?? 0);
    const statements = this.statements + found + chunks;
    return statements > maxStatements || now() > this.until;
  }

  /** Writes these products and advances the import past them, or at least past the first one. */
  async write(groups: readonly Group[], tries = 1): Promise<'complete' | 'partial' | 'overtaken'> {
    if (groups.length === 0) return 'complete';
    const plan = await planGroups(this.context, this.row, groups);
    if (groups.length > MAX_BOOKINGS_IN_ROUND && plan.writes.some(({ before }) => before?.state.slots.length))
      return this.writeParts(groups);
    const refused = await this.commit(plan, groups.slice(0, plan.taken));
    const rest = groups.slice(plan.taken);
    if (!refused) return rest.length > 0 && this.isLong() ? 'partial' : this.write(rest);
    if (await this.isOvertaken()) return 'overtaken';
    await this.context.paths.reload();
    // Plans again within the quota: one by one, each product beyond it would be read and refused.
    if (refused.name === OVER_QUOTA && !this.context.isOverQuota) {
      this.context = { ...this.context, isOverQuota: true };
      return this.write(groups);
    }
    // The catalogue changed since it was read, or a product is invalid: writes them one by one.
    if (groups.length > 1) return this.writeEach(groups);
    if (![OVERSOLD, OVER_QUOTA].includes(refused.name) && tries < MAX_WRITE_ATTEMPTS)
      return this.write(groups, tries + 1);
    const message = await this.reason(plan, refused);
    const errors = new LineErrors();
    const others = plan.errors.count - plan.errors.kept.length;
    errors.add(byLine([...plan.errors.kept, ...plan.seen.map(({ line }) => ({ line, message }))]), others);
    const without = { ...plan, writes: [], errors };
    return (await this.commit(without, groups)) ? 'overtaken' : 'complete';
  }

  /** Writes the first {@link MAX_BOOKINGS_IN_ROUND} of these products, then the others. */
  private async writeParts(groups: readonly Group[]): Promise<'complete' | 'partial' | 'overtaken'> {
    const first = await this.write(groups.slice(0, MAX_BOOKINGS_IN_ROUND));
    if (first !== 'complete') return first;
    return this.isLong() ? 'partial' : this.write(groups.slice(MAX_BOOKINGS_IN_ROUND));
  }

  /** Writes these products one by one. */
  private async writeEach(groups: readonly Group[]): Promise<'complete' | 'partial' | 'overtaken'> {
    for (const [n, group] of groups.entries()) {
      // Always writes the first one: the next run would meet the same refusal without any progress.
      if (n > 0 && this.isLong(MAX_STATEMENTS_BEFORE_PRODUCT)) return 'partial';
      const result = await this.write([group]);
      if (result !== 'complete') return result;
    }
    return 'complete';
  }

  /** Returns why a product was refused, as the message for its line. */
  private async reason({ writes: [write] }: Plan, { name }: Violation): Promise<string> {
    if (name === OVERSOLD)
      return `The policy can't be "deny": more units are sold or reserved than are in stock.`;
    if (name === OVER_QUOTA) return (await quotaExceeded(this.context, 'products')).failure.message ?? '';
    const refused =
      write && (await violatedPrecondition(this.context, write.before, withoutPlanned(write.after)));
    const reasons = Object.entries(refused?.failure.errors ?? {}).map(([field, faults]) =>
      [field, ...faults].join(' '),
    );
    const why = reasons.length > 0 ? `its ${reasons.join(', its ')}` : 'it is being changed concurrently';
    return `The product can't be written: ${why}.`;
  }

  /** Ends the import; returns false, because nothing is left to import. */
  async end(): Promise<false> {
    await attempt(this.context, endStatements(this.context, this.row, 'done'));
    return false;
  }

  /** Commits a plan; returns the constraint that it violated, or null. */
  private async commit(plan: Plan, groups: readonly Group[]): Promise<Violation | null> {
    const { columns, dryRun } = this.context;
    const { statements, batch, counts } = statementsFor(this.context, this.row, plan);
    // A refused plan's count as well.
    this.statements += statements.length + STATEMENTS_AROUND_PLAN;
    const unwritable = await dryRun?.refusal(plan.writes);
    if (unwritable) return unwritable;
    const errors = located(plan.errors.kept, { header: this.row.header ?? [], columns, skus: plan.skus });
    const after = advanced(this.row, { plan, counts, groups, errors });
    try {
      await commit(this.context, {
        batches: [batch],
        statements: [
          ...progressStatements(this.context, this.row, after),
          ...errorStatements(this.context, this.row.id, { from: this.row.failed, errors }),
          ...statements,
        ],
        catalogChanged: !this.row.dryRun && plan.writes.some(({ changed }) => changed.length > 0),
      });
    } catch (error) {
      const refused = violation(error);
      if (refused) return refused;
      throw error;
    }
    dryRun?.committed();
    this.row = after;
    await this.pause();
    return null;
  }

  /** Returns whether another run has advanced or ended the import. */
  private async isOvertaken(): Promise<boolean> {
    const { id, offset } = this.row;
    const row = await loadImport(this.context, id);
    return !row || !UNFINISHED.includes(row.status) || row.offset !== offset;
  }
}
