/** What a log field may hold. A `?` after the kind marks a field that may be missing. */
interface Kinds {
  /** A row's id, or an R2 object's key. */
  readonly id: number | string;
  /** A fixed word: an error's class, an event type, the name of a queue, chore or variable, a route's pattern. */
  readonly code: string;
  readonly codes: readonly string[];
  /** A count, an HTTP status or a duration in ms. */
  readonly count: number;
  readonly flag: boolean;
  /** An error's stack, of which the first frames are logged, without the message before them. */
  readonly stack: string;
}
type Kind = keyof Kinds;
type Shape = Readonly<Record<string, Kind | `${Kind}?`>>;
type ValueOf<K> = K extends Kind ? Kinds[K] : K extends `${infer Inner extends Kind}?` ? Kinds[Inner] : never;
type Optional<S extends Shape> = { [F in keyof S]: S[F] extends `${string}?` ? F : never }[keyof S];
type Fields<S extends Shape> = { readonly [F in Exclude<keyof S, Optional<S>>]: ValueOf<S[F]> } & {
  readonly [F in Optional<S>]?: ValueOf<S[F]> | null | undefined;
};

/** The shape of a line about a webhook. */
const WEBHOOK = { tenant: 'id?', webhook: 'id?' } as const;
/** The shape of a line about an error that is not expected: see `errorFields`. */
const ERROR = { name: 'code', storage: 'flag', stack: 'stack?' } as const;
/** The shape of a line about a payment. */
const PAYMENT = { tenant: 'id', order: 'id', provider: 'code' } as const;

/**
 * Every event of the log with its level and fields. `error` needs an operator, `warn` is retried or expires by
 * itself, `log` is a measurement. docs/operating.md says what to do about each.
 */
export const EVENTS = {
  request: [
    'log',
    {
      request_id: 'id',
      tenant: 'id?',
      application: 'id?',
      method: 'code',
      route: 'code',
      status: 'count',
      duration_ms: 'count',
      weight: 'count',
    },
  ],
  error: ['error', { request_id: 'id', ...ERROR }],
  page_error: ['error', { request_id: 'id', ...ERROR }],
  health_check_failed: ['error', { part: 'code', name: 'code' }],
  bad_master_key: ['error', { variables: 'codes', request_id: 'id' }],
  tenant_secrets_broken: ['error', { tenant: 'id' }],
  catalog_version_went_back: ['error', { tenant: 'id' }],
  tenant_not_notified: ['warn', { tenant: 'id' }],
  limiter_unreachable: ['warn', { tenant: 'id', application: 'id' }],
  stock_not_written: ['error', { tenant: 'id', ...ERROR }],
  idempotency_not_kept: ['error', { tenant: 'id' }],
  relay_failed: ['warn', { tenant: 'id', events: 'count' }],
  fan_out_failed: ['warn', { tenant: 'id', events: 'count' }],
  dead_letters: ['error', { messages: 'count', queues: 'codes' }],
  dead_letters_not_recorded: ['error', { messages: 'count', name: 'code' }],
  events_not_announced: ['warn', { tenant: 'id' }],
  abandoned_cart_not_reported: ['warn', { tenant: 'id', name: 'code' }],
  failures_not_noted: ['warn', { queue: 'code' }],
  hosts_not_settled: ['warn', { tenant: 'id' }],
  chore_failed: ['error', { chore: 'code', shard: 'code?', tenant: 'id?', id: 'id?', ...ERROR }],
  move_copy_differs: ['error', { tenant: 'id', move: 'id', table: 'code' }],
  move_not_switched: ['warn', { tenant: 'id', move: 'id', reason: 'code' }],
  tenant_switched: ['log', { tenant: 'id', move: 'id' }],
  endpoint_not_notified: ['warn', WEBHOOK],
  endpoint_stopped: ['error', { ...WEBHOOK, ...ERROR }],
  webhook_paused: ['warn', { ...WEBHOOK, reason: 'code' }],
  webhook_attempt_unsent: ['warn', { ...WEBHOOK, reason: 'code', delivery: 'id' }],
  webhook_attempt: [
    'log',
    {
      ...WEBHOOK,
      delivery: 'id',
      type: 'code',
      attempt: 'count',
      status: 'count?',
      error: 'code?',
      duration_ms: 'count',
      lag_ms: 'count',
    },
  ],
  calls_not_counted: ['warn', { tenant: 'id', name: 'code' }],
  search_not_enqueued: ['warn', { tenant: 'id' }],
  search_index_failed: ['error', { tenant: 'id', ...ERROR }],
  relisting_not_queued: ['warn', { tenant: 'id' }],
  sale_schedule_not_woken: ['warn', { tenant: 'id' }],
  background_not_charged: ['warn', { tenant: 'id' }],
  list_index_failed: ['warn', { tenant: 'id' }],
  list_index_stopped: ['warn', { tenant: 'id?', name: 'code' }],
  list_index_too_large: ['warn', { tenant: 'id' }],
  import_not_queued: ['warn', { tenant: 'id', import: 'id' }],
  import_not_abandoned: ['warn', { tenant: 'id', name: 'code' }],
  media_not_stored: ['error', { tenant: 'id', name: 'code' }],
  media_not_deleted: ['warn', { tenant: 'id', media: 'id', name: 'code' }],
  media_copy_not_stored: ['warn', { key: 'id' }],
  media_copy_failed: ['warn', { key: 'id', name: 'code' }],
  reservation_not_released: ['error', { tenant: 'id', id: 'id?' }],
  login_guard_failed: ['error', ERROR],
  cart_notification_failed: ['warn', { tenant: 'id', order: 'id' }],
  cart_email_not_sent: ['warn', { tenant: 'id', customer: 'id' }],
  payment_not_begun: ['warn', PAYMENT],
  payment_not_ended: ['warn', PAYMENT],
  payment_unfinished: ['error', { tenant: 'id', order: 'id', ...ERROR }],
  refund_failed: ['warn', { ...PAYMENT, name: 'code' }],
  refund_refused: ['warn', { ...PAYMENT, refund: 'id', reason: 'code' }],
  refund_reversed: ['error', { ...PAYMENT, refund: 'id' }],
  payment_disputed: ['warn', { ...PAYMENT, status: 'code' }],
} as const satisfies Record<string, readonly ['log' | 'warn' | 'error', Shape]>;

type Events = typeof EVENTS;

/**
 * Ids, codes and a route's pattern are short and have neither spaces nor an `@`; any other text may be personal data.
 */
const SAFE_TEXT = /^[\w.:/{}*-]{0,120}$/;
/** A stack's frame names a function and a place in the bundle. */
const FRAME = /^ {4}at /;
const MAX_FRAMES = 8;

/** Returns a field's value as it is logged. */
function loggedValue(kind: Kind, value: unknown): unknown {
  if (kind === 'stack') {
    const frames = String(value ?? '').split('\n');
    return frames.filter((line) => FRAME.test(line)).slice(0, MAX_FRAMES);
  }
  if (Array.isArray(value)) return value.map((one) => loggedValue('code', one));
  return typeof value !== 'string' || SAFE_TEXT.test(value) ? value : '?';
}

/**
 * Logs an event as one line of JSON. No event of {@link EVENTS} has a field for a secret, an e-mail, a body or an
 * error's message. Replaces a string that is neither an id nor a code with `?`, and omits unknown fields.
 */
export function log<E extends keyof Events>(event: E, fields: Fields<Events[E][1]>): void {
  const [level, shape]: readonly ['log' | 'warn' | 'error', Shape] = EVENTS[event];
  const line: Record<string, unknown> = { event };
  for (const [name, value] of Object.entries(fields)) {
    const kind = shape[name];
    // The kind without its `?`.
    if (kind) line[name] = loggedValue(kind.replace('?', '') as Kind, value);
  }
  console[level](JSON.stringify(line));
}

/** The code in a message of D1. The error of the driver around it has the query's parameters, and no code. */
const DATABASE_CODE = /^D1_[A-Z_]+(?=:(?!.*SQLITE_))|(?<=^D1_.*)SQLITE_[A-Z_]+/s;

/**
 * Returns an error's class, or of one of the database, which is a plain Error, its code: "SQLITE_CONSTRAINT", or "D1_ERROR" if
 * it can't be reached. Nothing else of an error may be logged.
 */
export function errorName(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if (error.name !== 'Error') return error.name;
  const [code] = DATABASE_CODE.exec(error.message) ?? [];
  if (code !== undefined) return code;
  return error.cause instanceof Error ? errorName(error.cause) : error.name;
}
