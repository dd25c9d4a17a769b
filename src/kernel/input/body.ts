import { MINUTE, now } from '../core/clock.ts';
import { fail, ok, type Result } from '../core/result.ts';

/** Deadline in milliseconds for a JSON body or a form. */
export const BODY_DEADLINE_MS = 30_000;
/** Deadline in milliseconds for an uploaded file. */
export const UPLOAD_DEADLINE_MS = 10 * MINUTE;
/**
 * Access checks are repeated after a body, or a wait for memory, that took longer than this (ms). A check may rely on data up to
 * 1.5 s old (a lease, and the tenant's state in it), and a change must take effect within 2 s.
 */
export const RECHECK_AFTER_MS = 500;

/** The most bytes of a body, and its deadline in milliseconds. */
export interface BodyLimits {
  readonly maxBytes: number;
  readonly deadlineMs: number;
  /** Returns whether there is memory for so many bytes of the body, before they are held; `unavailable` if not. */
  readonly hold?: (bytes: number) => boolean;
}

/** A body that its endpoint's handler reads in chunks. */
export interface Upload {
  /**
   * Returns the next chunk; `null` at the end. Fails with `payload_too_large`, with `request_timeout`, and at
   * the end of a slow body with the failure of a repeated access check.
   */
  next(): Promise<Result<Uint8Array | null>>;
}

/** Returns whether a body is declared with a content coding other than `identity` (RFC 9110, 8.4). */
export const isEncoded = (headers: Headers): boolean =>
  (headers.get('content-encoding') ?? '')
    .split(',')
    .some((coding) => !['', 'identity'].includes(coding.trim().toLowerCase()));

/** Returns the declared media type in lower case without parameters; "" for none. */
export const mediaTypeOf = (headers: Headers): string =>
  headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';

/** Returns `Content-Length`; `NaN`, which compares false with every limit, if it is missing. */
export const declaredLength = (headers: Headers): number =>
  Number(headers.get('content-length') ?? Number.NaN);

/**
 * Reads a request's body as it arrives. Reading fails with `payload_too_large` or `request_timeout` as soon
 * as a limit is exceeded, also with `request_timeout` when the client disconnects. Every body is read through this class.
 */
export class IncomingBody {
  private readonly since = now();
  private reader: ReadableStreamDefaultReader<Uint8Array> | null = null;
  private size = 0;

  constructor(
    private readonly request: Request,
    private readonly limits: BodyLimits,
  ) {}

  /** Whether the body took so long that the access checks must be repeated. */
  get isSlow(): boolean {
    return now() - this.since > RECHECK_AFTER_MS;
  }

  /** Returns the next chunk; `null` at the end. */
  async next(): Promise<Result<Uint8Array | null>> {
    if (!this.request.body) return ok(null);
    if (declaredLength(this.request.headers) > this.limits.maxBytes) return this.tooLarge();
    this.reader ??= this.request.body.getReader();
    const read = await this.inTime(this.reader.read());
    if (read.ok && read.value.done) return ok(null);
    if (read.ok && read.value.value) {
      this.size += read.value.value.byteLength;
      if (this.size <= this.limits.maxBytes) return ok(read.value.value);
    }
    this.cancel();
    return read.ok ? this.tooLarge() : read;
  }

  /** Returns the whole body. */
  async all(): Promise<Result<Uint8Array>> {
    // Fast path: a body whose declared length is within the limit is read in one call.
    const length = declaredLength(this.request.headers);
    if (length <= this.limits.maxBytes) {
      if (!this.holds(length)) return fail('unavailable');
      const whole = await this.inTime(this.request.arrayBuffer());
      if (!whole.ok) return whole;
      return whole.value.byteLength > this.limits.maxBytes
        ? this.tooLarge()
        : ok(new Uint8Array(whole.value));
    }
    const pieces: Uint8Array[] = [];
    for (;;) {
      const piece = await this.next();
      if (!piece.ok) return piece;
      if (piece.value === null) return ok(Buffer.concat(pieces));
      if (!this.holds(this.size)) {
        this.cancel();
        return fail('unavailable');
      }
      pieces.push(piece.value);
    }
  }

  /** Returns the body as a form with files (urlencoded or multipart), or `null` if it is not a valid form. */
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

  private cancel(): void {
    this.reader?.cancel().catch(() => undefined);
  }

  private holds(bytes: number): boolean {
    return this.limits.hold?.(bytes) ?? true;
  }

  private tooLarge(): Result<never> {
    return fail('payload_too_large', { details: { max_bytes: this.limits.maxBytes } });
  }

  /** Awaits a read. Fails with `request_timeout` at the deadline, or if it is cut off. */
  private async inTime<T>(read: Promise<T>): Promise<Result<T>> {
    const timeout = fail('request_timeout', { details: { max_seconds: this.limits.deadlineMs / 1000 } });
    const left = () => this.since + this.limits.deadlineMs - now();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), Math.max(0, left()));
    });
    try {
      const whole = read.then(
        (value) => ({ value }),
        () => null,
      );
      const value = await Promise.race([whole, late]);
      return value === null || left() < 0 ? timeout : ok(value.value);
    } finally {
      clearTimeout(timer);
    }
  }
}
