/** The most bytes of uploads that one isolate holds at once; an isolate has 128 MiB for everything. */
const MAX_HELD_BYTES = 64 * 1024 * 1024;
/** The most of them for one tenant: uploads may take ten minutes, and leave the others theirs. */
const MAX_HELD_BY_TENANT = 32 * 1024 * 1024;

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

/** Bytes of an upload that this isolate holds in memory. Whoever takes some must release them. */
export class HeldBytes {
  #bytes = 0;

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
    this.#bytes += bytes;
    return true;
  }

  /** Counts that nothing of the upload is held any more. */
  release(): void {
    count(this.tenantId, -this.#bytes);
    this.#bytes = 0;
  }
}
