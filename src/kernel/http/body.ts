import { MINUTE, now } from '../core/clock.ts';
import { fail, ok, type Result } from '../core/result.ts';

/** A JSON body or a form has to arrive within this long (ms), … */
export const BODY_DEADLINE_MS = 30_000;
/** … and a file that is uploaded within this long (ms). */
export const UPLOAD_DEADLINE_MS = 10 * MINUTE;
/**
 * What was decided before a body is decided again when the body took longer than this (ms). A decision is up
 * to 1.5 s old when it is made (a lease, and the tenant's state in it), and a change has to hold within 2 s.
 */
const DECISION_LIFE_MS = 500;

/** How many bytes a body may have, and how long (ms) it may take to arrive. */
export interface BodyLimits {
  readonly maxBytes: number;
  readonly deadlineMs: number;
}

/** A body that its endpoint's handler reads piece by piece. */
export interface Upload {
  /**
   * Returns the next piece; `null` at the end. Fails with `payload_too_large`, with `request_timeout`, and at
   * the end of a slow body with the refusal of a request that would not be let in any more.
   */
  next(): Promise<Result<Uint8Array | null>>;
}

/** Whether a body is declared as compressed, or as encoded in any other way (RFC 9110, 8.4). */
export const isEncoded = (headers: Headers): boolean =>
  (headers.get('content-encoding') ?? '')
    .split(',')
    .some((coding) => !['', 'identity'].includes(coding.trim().toLowerCase()));

/** The declared media type, without its parameters, in lower case; "" for none. */
export const mediaTypeOf = (headers: Headers): string =>
  headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';

/** The bytes that a body declares to have; `NaN`, which compares false with every limit, for none. */
export const declaredLength = (headers: Headers): number =>
  Number(headers.get('content-length') ?? Number.NaN);

/**
 * The body of a request, as it arrives. Reading it fails with `payload_too_large` or `request_timeout` as soon
 * as one of its limits is exceeded, and throws when the client hangs up. Every body is read through this class.
 */
export class IncomingBody {
  readonly #since = now();
  #reader: ReadableStreamDefaultReader<Uint8Array> | null = null;
  #size = 0;

  constructor(
    private readonly request: Request,
    private readonly limits: BodyLimits,
  ) {}

  /** Whether it has taken so long that what was decided before it has to be decided again. */
  get isSlow(): boolean {
    return now() - this.#since > DECISION_LIFE_MS;
  }

  /** Returns the next piece; `null` at the end. */
  async next(): Promise<Result<Uint8Array | null>> {
    if (!this.request.body) return ok(null);
    if (declaredLength(this.request.headers) > this.limits.maxBytes) return this.#tooLarge();
    this.#reader ??= this.request.body.getReader();
    const read = await this.#inTime(this.#reader.read());
    if (read.ok && read.value.done) return ok(null);
    if (read.ok && read.value.value) {
      this.#size += read.value.value.byteLength;
      if (this.#size <= this.limits.maxBytes) return ok(read.value.value);
    }
    this.#reader.cancel().catch(() => undefined);
    return read.ok ? this.#tooLarge() : read;
  }

  /** Returns all of it. */
  async all(): Promise<Result<Uint8Array>> {
    // A body that declares a length which will do is taken at once, which costs the least.
    if (declaredLength(this.request.headers) <= this.limits.maxBytes) {
      const whole = await this.#inTime(this.request.arrayBuffer());
      if (!whole.ok) return whole;
      return whole.value.byteLength > this.limits.maxBytes
        ? this.#tooLarge()
        : ok(new Uint8Array(whole.value));
    }
    const pieces: Uint8Array[] = [];
    for (;;) {
      const piece = await this.next();
      if (!piece.ok) return piece;
      if (piece.value === null) return ok(Buffer.concat(pieces));
      pieces.push(piece.value);
    }
  }

  /** Returns it as a form, files included: urlencoded or multipart, as its media type says; `null` for neither. */
  async form(): Promise<Result<FormData | null>> {
    let failed: Result<never> | null = null;
    const stream = new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        const piece = await this.next();
        if (!piece.ok) {
          failed = piece;
          controller.error(new Error(piece.failure.code));
        } else if (piece.value === null) controller.close();
        else controller.enqueue(piece.value);
      },
    });
    const type = this.request.headers.get('content-type') ?? '';
    const form = await new Response(stream, { headers: { 'content-type': type } })
      .formData()
      .catch(() => null);
    return failed ?? ok(form);
  }

  #tooLarge(): Result<never> {
    return fail('payload_too_large', { details: { max_bytes: this.limits.maxBytes } });
  }

  /** What a read brings, unless the deadline comes first. */
  async #inTime<T>(read: Promise<T>): Promise<Result<T>> {
    const timeout = fail('request_timeout', { details: { max_seconds: this.limits.deadlineMs / 1000 } });
    const left = () => this.#since + this.limits.deadlineMs - now();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), Math.max(0, left()));
    });
    try {
      const value = await Promise.race([read.then((value) => ({ value })), late]);
      return value === null || left() < 0 ? timeout : ok(value.value);
    } finally {
      clearTimeout(timer);
    }
  }
}
