import { violatedPrecondition, writeStatements } from '../catalog/index.ts';
import { publishStock } from '../inventory/index.ts';
import { now } from '../kernel/core/clock.ts';
import { id as newId } from '../kernel/crypto/crypto.ts';
import {
  batch,
  type Database,
  database,
  type Statement,
  type Violation,
  violation,
} from '../kernel/data/database.ts';
import type { Runtime } from '../kernel/http/context.ts';
import { quotaExceeded, tenantById } from '../tenants/index.ts';
import { CategoryPaths } from './category-paths.ts';
import { columnsOf } from './csv/columns.ts';
import { type CsvItem, readCsv } from './csv/csv.ts';
import { type Group, groupByHandle, inRounds } from './csv/groups.ts';
import { byLine, LineErrors } from './csv/line-errors.ts';
import { type Plan, type PlanContext, planGroups } from './plan.ts';
import { type ImportMessage, MAX_ERRORS } from './schemas.ts';
import {
  endStatements,
  loadImport,
  metStatement,
  OPEN,
  progressStatements,
  readChunks,
  toldStatements,
} from './store.ts';
import { CHUNK, type ImportRow } from './tables.ts';

/** After so many statements (D1 allows 1,000 to an invocation) a run begins no further round … */
const MAX_STATEMENTS = 350;
/** … and after so many no further product of a round that was refused. */
const MOST_STATEMENTS = 700;
/** After so many ms it begins neither. */
const MAX_TIME = 10_000;
/** How often a product is tried that others change at the same moment. */
const TRIES = 5;
/** The CHECK that refuses a product of which more is gone than there is: trying again doesn't help. */
const OVERSOLD = 'stock_never_oversold';
/** The CHECK that refuses more products and variants than the plan allows. */
const OVER_QUOTA = 'within_quota';

/**
 * Reads on in an import's file for a while, from where the last run came to; answers whether there is
 * more. May run at any time, again, and twice at once: each batch of writes moves the import on from the
 * place that it was read at, or is refused whole.
 */
export async function runImport(runtime: Runtime, { tenantId, importId }: ImportMessage): Promise<boolean> {
  const db = database(runtime.env);
  const found = await loadImport(db, tenantId, importId);
  if (!found || !OPEN.includes(found.status)) return false;
  const row = found.header ? found : await readHeader(db, found);
  const columns = columnsOf(row?.header ?? []);
  if (!row?.header || typeof columns === 'string') return false;
  const { currency, currencies } = await tenantById(db, tenantId);
  const paths = await CategoryPaths.load(db, tenantId);
  const run = new Run(runtime, { db, shop: { tenantId, currency, currencies }, columns, paths }, row);
  const from = { offset: row.offset, line: row.line };
  const items = readCsv(readChunks(db, row, from.offset), { from, width: row.header.length });
  for await (const groups of inRounds(groupByHandle(items, columns, from))) {
    const came = await run.write(groups);
    if (came !== 'through') return came === 'part';
    if (run.isLong()) return true;
  }
  return run.end();
}

/** Reads the header, and answers the import as it stands behind it; null when that was all. */
async function readHeader(db: Database, row: ImportRow): Promise<ImportRow | null> {
  const { value: first } = await readCsv(readChunks(db, row, 0)).next();
  const refused = first ? refusal(first) : 'The file is empty.';
  if (first?.kind !== 'record' || refused !== null) {
    const errors = [{ line: first?.line ?? 1, message: refused ?? '' }];
    await attempt(db, endStatements(db, { ...row, errors, failed: 1 }, 'failed'));
    return null;
  }
  const behind: ImportRow = { ...row, header: [...first.cells], ...first.next };
  return Array.isArray(await attempt(db, progressStatements(db, row, behind))) ? behind : null;
}

/** Why a file that begins with this can't be imported, or null. */
function refusal(first: CsvItem): string | null {
  if (first.kind !== 'record') return first.message;
  const columns = columnsOf(first.cells);
  return typeof columns === 'string' ? columns : null;
}

/** Runs a batch; answers the results of its statements, or the constraint that refused it. */
async function attempt(db: Database, statements: readonly Statement[]): Promise<unknown[] | Violation> {
  try {
    return await batch(db, statements);
  } catch (error) {
    const refused = violation(error);
    if (refused) return refused;
    throw error;
  }
}

/** One run of an import: what it writes, and how far that has brought the import. */
class Run {
  readonly #runtime: Runtime;
  readonly #desk: PlanContext;
  readonly #until = now() + MAX_TIME;
  readonly #from: number;
  #row: ImportRow;
  #statements = 0;

  constructor(runtime: Runtime, desk: PlanContext, row: ImportRow) {
    this.#runtime = runtime;
    this.#desk = desk;
    this.#row = row;
    this.#from = row.offset;
  }

  /** Whether the rest is better left to the next run. */
  isLong(most = MAX_STATEMENTS): boolean {
    const chunks = Math.ceil((this.#row.offset - this.#from) / CHUNK);
    return this.#statements + this.#desk.paths.statements + chunks > most || now() > this.#until;
  }

  /** Writes these products and moves the import behind them, or behind the first of them at least. */
  async write(groups: readonly Group[], tries = 1): Promise<'through' | 'part' | 'overtaken'> {
    if (groups.length === 0) return 'through';
    const plan = await planGroups(this.#desk, this.#row, groups);
    const refused = await this.#commit(plan, groups.slice(0, plan.taken));
    const rest = groups.slice(plan.taken);
    if (!refused) return rest.length > 0 && this.isLong() ? 'part' : this.write(rest);
    if (await this.#isOvertaken()) return 'overtaken';
    // Something has changed since it was looked up, or a product can't be as it shall: one by one.
    await this.#desk.paths.reload();
    if (groups.length > 1) return this.#writeEach(groups);
    if (![OVERSOLD, OVER_QUOTA].includes(refused.name) && tries < TRIES) return this.write(groups, tries + 1);
    const message = await this.#reason(plan, refused);
    const errors = new LineErrors();
    const others = plan.errors.count - plan.errors.kept.length;
    errors.add(byLine([...plan.errors.kept, ...plan.met.map(({ line }) => ({ line, message }))]), others);
    const without = { ...plan, writes: [], errors };
    return (await this.#commit(without, groups)) ? 'overtaken' : 'through';
  }

  async #writeEach(groups: readonly Group[]): Promise<'through' | 'part' | 'overtaken'> {
    for (const [n, group] of groups.entries()) {
      // Not before the first: the next run would meet the same refusal, and come no further either.
      if (n > 0 && this.isLong(MOST_STATEMENTS)) return 'part';
      const came = await this.write([group]);
      if (came !== 'through') return came;
    }
    return 'through';
  }

  /** Why a product was refused, for its line. */
  async #reason({ writes: [write] }: Plan, { name }: Violation): Promise<string> {
    if (name === OVERSOLD) return `The policy can't be "deny": more of it is sold or reserved than there is.`;
    const { db, shop } = this.#desk;
    if (name === OVER_QUOTA)
      return (await quotaExceeded(db, shop.tenantId, 'products')).failure.message ?? '';
    const refused = write && (await violatedPrecondition(db, shop.tenantId, write.before, write.after));
    const said = Object.entries(refused?.failure.errors ?? {}).map(([field, faults]) =>
      [field, ...faults].join(' '),
    );
    const why = said.length > 0 ? `its ${said.join(', its ')}` : 'others change it at the same moment';
    return `The product can't be written: ${why}.`;
  }

  /** Ends the import. There is nothing more to do then, which is what it answers. */
  async end(): Promise<false> {
    await attempt(this.#desk.db, endStatements(this.#desk.db, this.#row, 'done'));
    return false;
  }

  /** Writes a plan; answers the constraint that refused all of it, or null. */
  async #commit(plan: Plan, groups: readonly Group[]): Promise<Violation | null> {
    const { db, shop } = this.#desk;
    const { statements, batches, counts } = writing(this.#desk, this.#row, plan);
    const after = advanced(this.#row, plan, counts, groups);
    const telling = toldStatements(db, shop.tenantId, batches);
    const results = await attempt(db, [
      ...progressStatements(db, this.#row, after),
      ...statements,
      ...(batches.length > 0 ? telling : []),
    ]);
    this.#statements += statements.length + 12;
    if (!Array.isArray(results)) return results;
    this.#row = after;
    if (batches.length > 0) await publishStock(this.#runtime, shop.tenantId, results);
    return null;
  }

  async #isOvertaken(): Promise<boolean> {
    const { tenantId, id, offset } = this.#row;
    const row = await loadImport(this.#desk.db, tenantId, id);
    return !row || !OPEN.includes(row.status) || row.offset !== offset;
  }
}

/** The statements of a plan, the batches that its events are found by, and what it comes to. */
function writing({ db, shop }: PlanContext, row: ImportRow, plan: Plan) {
  const statements = plan.met.length > 0 ? [metStatement(db, row, plan.met)] : [];
  const batches: string[] = [];
  const counts = { created: 0, updated: 0, unchanged: 0 };
  for (const write of plan.writes) {
    const cause = { tenantId: shop.tenantId, batch: newId('bat'), reason: 'import' };
    const own = writeStatements(db, cause, write);
    counts[own.length === 0 ? 'unchanged' : write.before ? 'updated' : 'created']++;
    if (own.length > 0) batches.push(cause.batch);
    for (const statement of own) statements.push(statement);
  }
  return { statements, batches, counts };
}

/** The import as it stands behind these groups. */
function advanced(
  row: ImportRow,
  plan: Plan,
  counts: { readonly created: number; readonly updated: number; readonly unchanged: number },
  groups: readonly Group[],
): ImportRow {
  const processed = row.processed + groups.reduce((sum, group) => sum + group.lines, 0);
  return {
    ...row,
    ...groups.at(-1)?.next,
    rows: Math.max(row.rows, processed),
    processed,
    created: row.created + counts.created,
    updated: row.updated + counts.updated,
    unchanged: row.unchanged + counts.unchanged,
    failed: row.failed + plan.errors.count,
    errors: [...row.errors, ...plan.errors.kept].slice(0, MAX_ERRORS),
  };
}
