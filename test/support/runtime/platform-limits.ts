import { env } from 'cloudflare:workers';

/** Limits that the platform has, and the local databases and queues don't. */
const MAX_PARAMETERS = 100;
const MAX_STATEMENT_BYTES = 100_000;
/** Of a string, blob or row of D1. */
const MAX_VALUE_BYTES = 2_000_000;
const MAX_MESSAGE_BYTES = 128_000;
const MAX_BATCH_MESSAGES = 100;
const MAX_BATCH_BYTES = 256_000;

const encoder = new TextEncoder();
let found: string[] = [];
let watched = false;

/** Returns whether a text has more bytes; counts them only where it may. */
const exceeds = (text: string, bytes: number): boolean =>
  text.length * 3 > bytes && encoder.encode(text).length > bytes;

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return encoder.encode(value).length;
  return value instanceof ArrayBuffer ? value.byteLength : 8;
}

/** Notes what the platform would refuse, and refuses it as the platform does. */
function refuse(message: string): never {
  found.push(message);
  throw new Error(message);
}

function checkStatement(sql: string): void {
  if (exceeds(sql, MAX_STATEMENT_BYTES)) refuse(`D1_ERROR: statement too long: ${sql.slice(0, 200)}`);
}

function checkParameters(params: readonly unknown[]): void {
  if (params.length > MAX_PARAMETERS) refuse(`D1_ERROR: too many SQL variables: ${params.length}`);
  for (const value of params) {
    if (typeof value === 'string' && exceeds(value, MAX_VALUE_BYTES))
      refuse(`D1_ERROR: string or blob too big: a parameter ${value.slice(0, 200)}`);
  }
}

function checkRows(rows: readonly unknown[]): void {
  for (const row of rows) {
    if (typeof row !== 'object' || row === null) continue;
    const values: unknown[] = Object.values(row);
    const characters = values.reduce<number>(
      (sum, value) => sum + (typeof value === 'string' ? value.length : 8),
      0,
    );
    if (characters * 3 <= MAX_VALUE_BYTES) continue;
    if (values.reduce<number>((sum, value) => sum + sizeOf(value), 0) > MAX_VALUE_BYTES)
      refuse(`D1_ERROR: string or blob too big: a row with ${Object.keys(row).join(', ')}`);
  }
}

/** A method of a prototype, whose object is of no class that code can name. */
type Method = (this: object, ...args: never[]) => unknown;

/** Replaces a method of all objects with a prototype. */
function around(prototype: object, name: string, replace: (method: Method) => Method): void {
  Reflect.set(prototype, name, replace(Reflect.get(prototype, name)));
}

function watchDatabases(): void {
  const statement = Object.getPrototypeOf(env.DB.prepare('SELECT 1'));
  const clients = [Object.getPrototypeOf(env.DB), Object.getPrototypeOf(env.DB.withSession())];
  for (const client of new Set<object>(clients)) {
    around(
      client,
      'prepare',
      (prepare) =>
        function (sql: string) {
          checkStatement(sql);
          return Reflect.apply(prepare, this, [sql]);
        } as Method,
    );
    around(
      client,
      'batch',
      (batch) =>
        async function (statements: never) {
          const results = (await Reflect.apply(batch, this, [statements])) as D1Result[];
          for (const { results: rows } of results) checkRows(rows);
          return results;
        } as Method,
    );
  }
  around(
    statement,
    'bind',
    (bind) =>
      function (...params: unknown[]) {
        checkParameters(params);
        return Reflect.apply(bind, this, params);
      } as Method,
  );
  for (const name of ['all', 'raw', 'run', 'first']) {
    around(
      statement,
      name,
      (method) =>
        async function (...args: unknown[]) {
          const result = await Reflect.apply(method, this, args);
          checkRows(Array.isArray(result) ? result : (result?.results ?? [result]));
          return result;
        } as Method,
    );
  }
}

function watchQueues(): void {
  const size = (body: unknown): number => encoder.encode(JSON.stringify(body)).length;
  const queue = Object.getPrototypeOf(env.SEARCH_QUEUE);
  around(
    queue,
    'send',
    (send) =>
      function (body: unknown, ...options: unknown[]) {
        if (size(body) > MAX_MESSAGE_BYTES) refuse('Queue send failed: message too large');
        return Reflect.apply(send, this, [body, ...options]);
      } as Method,
  );
  around(
    queue,
    'sendBatch',
    (sendBatch) =>
      function (messages: Iterable<{ body: unknown }>, ...options: unknown[]) {
        const sizes = [...messages].map(({ body }) => size(body));
        if (sizes.length > MAX_BATCH_MESSAGES) refuse(`Queue sendBatch failed: ${sizes.length} messages`);
        if (sizes.some((bytes) => bytes > MAX_MESSAGE_BYTES))
          refuse('Queue sendBatch failed: message too large');
        if (sizes.reduce((sum, bytes) => sum + bytes, 0) > MAX_BATCH_BYTES)
          refuse('Queue sendBatch failed: batch too large');
        return Reflect.apply(sendBatch, this, [messages, ...options]);
      } as Method,
  );
}

/** Holds D1 and queues to the platform's published limits for all that runs in this runtime. */
export function watchLimits(): void {
  found = [];
  if (watched) return;
  watched = true;
  watchDatabases();
  watchQueues();
}

/** Returns what exceeded a limit since {@link watchLimits} or the last call. */
export function takeExceeded(): readonly string[] {
  const taken = found;
  found = [];
  return taken;
}
