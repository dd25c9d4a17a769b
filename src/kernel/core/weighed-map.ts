/** A map whose entries have weights, with a bound of their sum: setting an entry beyond it evicts those set longest ago. */
export class WeighedMap<Key, Value> {
  private readonly entries = new Map<Key, { readonly value: Value; readonly weight: number }>();
  private weight = 0;

  constructor(private readonly most: number) {}

  get(key: Key): Value | undefined {
    return this.entries.get(key)?.value;
  }

  /** Sets an entry, which becomes the newest. One that is heavier than the bound is not kept. */
  set(key: Key, value: Value, weight: number): void {
    this.delete(key);
    this.entries.set(key, { value, weight });
    this.weight += weight;
    for (const oldest of this.entries.keys()) {
      if (this.weight <= this.most) break;
      this.delete(oldest);
    }
  }

  delete(key: Key): void {
    this.weight -= this.entries.get(key)?.weight ?? 0;
    this.entries.delete(key);
  }
}
