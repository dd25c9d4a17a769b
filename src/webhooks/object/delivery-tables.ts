/** The SQLite tables of a WebhookEndpoint object. */

/** The newest attempts of a delivery that are kept and shown. */
export const MAX_LOGGED_ATTEMPTS = 20;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS deliveries (
    id INTEGER PRIMARY KEY AUTOINCREMENT, eventId TEXT NOT NULL UNIQUE, type TEXT NOT NULL,
    body TEXT NOT NULL, status TEXT NOT NULL, tries INTEGER NOT NULL DEFAULT 0,
    attempts INTEGER NOT NULL DEFAULT 0, responseStatus INTEGER, sending INTEGER,
    occurredAt INTEGER NOT NULL, createdAt INTEGER NOT NULL, nextAttemptAt INTEGER, deliveredAt INTEGER);
  CREATE INDEX IF NOT EXISTS deliveries_due ON deliveries (nextAttemptAt, id)
    WHERE nextAttemptAt IS NOT NULL AND sending IS NULL;
  CREATE INDEX IF NOT EXISTS deliveries_sending ON deliveries (sending) WHERE sending IS NOT NULL;
  CREATE INDEX IF NOT EXISTS deliveries_status ON deliveries (status, id);
  CREATE INDEX IF NOT EXISTS deliveries_type ON deliveries (type, id);
  CREATE INDEX IF NOT EXISTS deliveries_occurred ON deliveries (occurredAt);
  CREATE INDEX IF NOT EXISTS deliveries_age ON deliveries (createdAt);
  CREATE TABLE IF NOT EXISTS redactions (
    eventId TEXT PRIMARY KEY, body TEXT NOT NULL, redactedAt INTEGER NOT NULL) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS redactions_age ON redactions (redactedAt);
  CREATE TABLE IF NOT EXISTS attempts (
    id INTEGER PRIMARY KEY AUTOINCREMENT, deliveryId INTEGER NOT NULL, startedAt INTEGER NOT NULL,
    endedAt INTEGER, responseStatus INTEGER, error TEXT, responseBody TEXT);
  CREATE INDEX IF NOT EXISTS attempts_delivery ON attempts (deliveryId, id);
  CREATE INDEX IF NOT EXISTS attempts_open ON attempts (id) WHERE endedAt IS NULL;
  CREATE INDEX IF NOT EXISTS attempts_answers ON attempts (id) WHERE responseBody IS NOT NULL;`;

/** The columns that order deliveries; objects made before them get them by {@link addColumns}. */
const COLUMNS = {
  /** The changed resource and the event's position in the outbox; null for a ping. */
  resource: 'TEXT',
  position: 'INTEGER',
  /** 1 while the delivery waits for an earlier one of its resource. Then it has no `nextAttemptAt`. */
  waiting: 'INTEGER NOT NULL DEFAULT 0',
};

/** Neither delivered nor dead nor held. */
export const OPEN = '(nextAttemptAt IS NOT NULL OR waiting = 1)';

/** What is due and what waits have an index each: of a resource with thousands of deliveries that wait, one is due. */
const INDEXES = `
  CREATE INDEX IF NOT EXISTS deliveries_resource ON deliveries (resource, position) WHERE resource IS NOT NULL;
  CREATE INDEX IF NOT EXISTS deliveries_next ON deliveries (resource, position) WHERE nextAttemptAt IS NOT NULL;
  CREATE INDEX IF NOT EXISTS deliveries_behind ON deliveries (resource, position) WHERE waiting = 1;
  DROP INDEX IF EXISTS deliveries_open;
  DROP INDEX IF EXISTS deliveries_waiting;`;

/** Adds the columns and indexes to the table of deliveries. */
function addColumns(sql: SqlStorage): void {
  const names = sql.exec<{ name: string }>("SELECT name FROM pragma_table_info('deliveries')").toArray();
  for (const [name, type] of Object.entries(COLUMNS)) {
    if (names.every((one) => one.name !== name))
      sql.exec(`ALTER TABLE deliveries ADD COLUMN ${name} ${type}`);
  }
  sql.exec(INDEXES);
}

/** Creates the tables, or brings those of an earlier release up to date. */
export function createTables(sql: SqlStorage): void {
  sql.exec(SCHEMA);
  addColumns(sql);
}
