import { log } from '../core/log.ts';

/**
 * A request that was served, as the log and the metrics describe it, without any text that a client or a person
 * wrote.
 */
interface ServedRequest {
  readonly id: string;
  /** Null where none is known: a public page, a refused token, the platform's own API. */
  readonly tenant: number | null;
  readonly application: number | null;
  readonly method: string;
  /** The pattern of the path, such as `/v1/products/{id}`; `/*` if nothing is served there. */
  readonly route: string;
  readonly status: number;
  /** The time until the response's headers, in ms of the runtime's clock, which stands still while it computes. */
  readonly ms: number;
}

/** An isolate logs one of this many reads that it serves from memory. */
export const HOT_READS_A_LINE = 100;
let hotReads = 0;

/** Logs a request as one line, and writes a data point where Analytics Engine is bound. */
export function reportRequest(env: Env, served: ServedRequest): void {
  writeLine(served, 1);
  writePoint(env, served);
}

/**
 * Reports a read that was served from the isolate's memory. Writing each as a line would cost as much as serving
 * it, so the first of {@link HOT_READS_A_LINE} is logged, with that weight. Every one is a data point.
 */
export function reportHotRead(env: Env, served: ServedRequest): void {
  if (hotReads % HOT_READS_A_LINE === 0) writeLine(served, HOT_READS_A_LINE);
  hotReads += 1;
  writePoint(env, served);
}

function writeLine({ id, ms, ...served }: ServedRequest, weight: number): void {
  log('request', { request_id: id, ...served, duration_ms: ms, weight });
}

/** Columns: `index1` the tenant; `blob1…3` method, route, application; `double1…2` status, duration in ms. */
function writePoint({ REQUEST_METRICS: metrics }: Env, served: ServedRequest): void {
  try {
    metrics?.writeDataPoint({
      indexes: [String(served.tenant ?? '')],
      blobs: [served.method, served.route, String(served.application ?? '')],
      doubles: [served.status, served.ms],
    });
  } catch {
    // The request is served: a lost point must not turn its response into an error.
  }
}
