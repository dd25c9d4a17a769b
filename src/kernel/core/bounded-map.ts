/** A map with a bound: setting an entry beyond it evicts the one that was set longest ago. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  constructor(private readonly most: number) {
    super();
  }

  /** Sets an entry, which becomes the newest. */
  override set(key: Key, value: Value): this {
    this.delete(key);
    const oldest = this.size >= this.most ? this.keys().next() : null;
    if (oldest && !oldest.done) this.delete(oldest.value);
    return super.set(key, value);
  }
}
