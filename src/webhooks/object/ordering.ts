import type { EventGap } from '../../events/index.ts';

/** The columns that order deliveries; objects made before them get them by {@link addColumns}. */
const COLUMNS = {
  /** The changed resource and the event's position in the outbox; null for a ping. */
  resource: 'TEXT',
  position: 'INTEGER',
  /** 1 while the delivery waits for an earlier one of its resource. Then it has no `nextAttemptAt`. */
  waiting: 'INTEGER NOT NULL DEFAULT 0',
};

/** Neither delivered nor dead nor held. The index and its queries must use the same text. */
const OPEN = '(nextAttemptAt IS NOT NULL OR waiting = 1)';

const INDEXES = `
  CREATE INDEX IF NOT EXISTS deliveries_resource ON deliveries (resource, position) WHERE resource IS NOT NULL;
  CREATE INDEX IF NOT EXISTS deliveries_open ON deliveries (resource, position) WHERE ${OPEN};
  CREATE INDEX IF NOT EXISTS deliveries_waiting ON deliveries (id) WHERE waiting = 1;`;

/** Adds the columns and indexes to the table of deliveries. */
export function addColumns(sql: SqlStorage): void {
  const names = sql.exec<{ name: string }>("SELECT name FROM pragma_table_info('deliveries')").toArray();
  for (const [name, type] of Object.entries(COLUMNS)) {
    if (names.every((one) => one.name !== name))
      sql.exec(`ALTER TABLE deliveries ADD COLUMN ${name} ${type}`);
  }
  sql.exec(INDEXES);
}

/** Condition: an earlier event of the same resource is still open. */
const IS_BEHIND = `EXISTS (SELECT 1 FROM deliveries earlier WHERE earlier.resource = deliveries.resource
  AND earlier.position < deliveries.position AND (earlier.nextAttemptAt IS NOT NULL OR earlier.waiting = 1))`;

/**
 * Orders the deliveries of one webhook by resource: of the open deliveries of a resource, only the earliest is
 * ever due; the others wait. Synchronous, so that a delivery's end and the next one's release are one write.
 */
export class Ordering {
  constructor(
    private readonly sql: SqlStorage,
    private readonly kv: SyncKvStorage,
  ) {}

  /** Whether the webhook is ordered, as last applied. */
  get isOn(): boolean {
    return this.kv.get<boolean>('ordered') ?? false;
  }

  /** Applies the registration's setting to the deliveries that are open. */
  apply(ordered: boolean, at: number): void {
    if (ordered === this.isOn) return;
    this.kv.put('ordered', ordered);
    if (ordered) this.holdAll();
    else this.sql.exec('UPDATE deliveries SET waiting = 0, nextAttemptAt = ? WHERE waiting = 1', at);
  }

  /** Holds every due delivery that is behind another one of its resource. */
  holdAll(): void {
    if (this.isOn) this.hold('true');
  }

  /** Does the same for these resources, to which deliveries were added. */
  holdFor(resources: ReadonlySet<string>): void {
    if (!this.isOn) return;
    for (const resource of resources) this.hold('resource = ?', resource);
  }

  private hold(which: string, ...values: string[]): void {
    this.sql.exec(
      `UPDATE deliveries SET waiting = 1, nextAttemptAt = NULL
       WHERE ${which} AND nextAttemptAt IS NOT NULL AND sending IS NULL AND ${IS_BEHIND}`,
      ...values,
    );
  }

  /** Makes the earliest open delivery of a resource due, if it waits. */
  release(resource: string | null | undefined, at: number): void {
    if (resource == null) return;
    this.sql.exec(
      `UPDATE deliveries SET waiting = 0, nextAttemptAt = ? WHERE waiting = 1 AND id = (
         SELECT id FROM deliveries WHERE resource = ? AND ${OPEN} ORDER BY position LIMIT 1)`,
      at,
      resource,
    );
  }

  /** Returns the resources of the open deliveries among these ids (a query). */
  resourcesOf(ids: string, ...values: number[]): string[] {
    const query = `SELECT DISTINCT resource FROM deliveries WHERE id IN (${ids}) AND ${OPEN}`;
    const found = this.sql.exec<{ resource: string | null }>(query, ...values).toArray();
    return found.flatMap(({ resource }) => resource ?? []);
  }

  /** Returns where events may be missing before these: from each resource's last known position on. */
  gapsBefore(events: readonly { readonly resource?: string; readonly position?: number }[]): EventGap[] {
    return events.flatMap(({ resource, position }) => {
      if (resource === undefined || position === undefined) return [];
      const known = this.sql.exec<{ after: number | null }>(
        'SELECT max(position) AS after FROM deliveries WHERE resource = ? AND position < ?',
        resource,
        position,
      );
      return [{ resource, after: known.one().after ?? 0, before: position }];
    });
  }
}
