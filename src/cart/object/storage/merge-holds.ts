import { now } from '../../../kernel/core/clock.ts';
import { randomBase62 } from '../../../kernel/crypto/crypto.ts';

/** How long a merge has the contents of a cart for itself (ms), in case it breaks off. */
const MAX_MERGE_MS = 10_000;
const KEY = 'merges';

/** When each merge ends at the latest (ms), by its id. */
type Ends = Readonly<Record<string, number>>;

/**
 * The merges that are copying this cart's contents into another cart; meanwhile the contents must not be ordered. They
 * are stored, because a merge goes on while its object restarts.
 */
export class MergeHolds {
  constructor(private readonly storage: DurableObjectStorage) {}

  /** Whether a merge is copying the contents. */
  get any(): boolean {
    return Object.keys(this.running()).length > 0;
  }

  /** Begins a merge, or goes on with one that is tried again. Returns its id. It ends after ten seconds at the latest. */
  begin(id = randomBase62(8)): string {
    this.storage.kv.put(KEY, { ...this.running(), [id]: now() + MAX_MERGE_MS });
    return id;
  }

  /** Ends a merge; without an id, all of them. */
  end(id?: string): void {
    const { [id ?? '']: _, ...others } = id === undefined ? {} : this.running();
    if (Object.keys(others).length > 0) this.storage.kv.put(KEY, others);
    else this.storage.kv.delete(KEY);
  }

  private running(): Ends {
    const ends = this.storage.kv.get<Ends>(KEY) ?? {};
    const at = now();
    return Object.fromEntries(
      Object.entries(ends).filter(([, until]) => at < until && until <= at + MAX_MERGE_MS),
    );
  }
}
