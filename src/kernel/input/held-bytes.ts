import { MAX_BODY_BYTES } from '../http/endpoint.ts';

/** The most bytes of bodies that one isolate holds at once when it takes an upload; an isolate has 128 MiB for everything. */
const MAX_HELD_BYTES = 64 * 1024 * 1024;
/** The most of them for one tenant: uploads may take ten minutes, and leave the others theirs. */
const MAX_HELD_BY_TENANT = 32 * 1024 * 1024;
/**
 * The most that an isolate holds when it takes a JSON body, which is held about four times: as bytes, text, values, and
 * what is written. More than with an upload, so that uploads leave memory to these.
 */
const MAX_HELD_WITH_BODIES = 96 * 1024 * 1024;
const TIMES_HELD = 4;

/** The tenant of all bodies that arrive before it is known who sends them. */
export const NOBODY = -1;

let held = 0;
const heldByTenant = new Map<number, number>();

/** Counts bytes that a tenant holds; negative ones are released. */
function count(tenantId: number | null, bytes: number): void {
  held += bytes;
  if (tenantId === null) return;
  const sum = (heldByTenant.get(tenantId) ?? 0) + bytes;
  if (sum > 0) heldByTenant.set(tenantId, sum);
  else heldByTenant.delete(tenantId);
}

/** Bytes of a body that this isolate holds in memory. Whoever takes some must release them. */
export class HeldBytes {
  private bytes = 0;

  /** `tenantId` is null for bytes that count for none. */
  constructor(private readonly tenantId: number | null = null) {}

  /**
   * Counts bytes before they are held. Returns false, and counts none, if the isolate would hold more than `most`, or
   * too many of one tenant.
   */
  take(bytes: number, most = MAX_HELD_BYTES): boolean {
    const own = this.tenantId === null ? 0 : (heldByTenant.get(this.tenantId) ?? 0) + bytes;
    if (held + bytes > most || own > MAX_HELD_BY_TENANT) return false;
    count(this.tenantId, bytes);
    this.bytes += bytes;
    return true;
  }

  /**
   * Counts a JSON body as far as it has arrived, once it is larger than most endpoints take. Returns whether there is
   * memory for it.
   */
  takeBody(bytes: number): boolean {
    return bytes <= MAX_BODY_BYTES || this.take(TIMES_HELD * bytes - this.bytes, MAX_HELD_WITH_BODIES);
  }

  /** Counts that nothing of the body is held any more. */
  release(): void {
    count(this.tenantId, -this.bytes);
    this.bytes = 0;
  }
}
