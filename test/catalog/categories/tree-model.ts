interface Category {
  readonly name: string;
  parent: number | null;
}

export interface Item {
  categories: number[];
  price: number;
  status: 'active' | 'inactive';
}

/** A tree of categories and its products as plain maps: what the shop has to agree with after every step. */
export class Model {
  readonly categories = new Map<number, Category>();
  readonly items = new Map<number, Item>();

  /** The category and all above it, from the bottom up. */
  line(id: number | null): number[] {
    const category = id === null ? undefined : this.categories.get(id);
    return id === null || !category ? [] : [id, ...this.line(category.parent)];
  }

  below(id: number): number[] {
    return [...this.categories.keys()].filter((other) => this.line(other).includes(id));
  }

  mayMove(id: number, to: number | null): boolean {
    const above = this.line(to).length;
    const height = Math.max(...this.below(id).map((other) => this.line(other).indexOf(id) + 1));
    return !this.line(to).includes(id) && above + height <= 5;
  }

  remove(id: number): void {
    const { parent = null } = this.categories.get(id) ?? {};
    for (const other of this.categories.values()) if (other.parent === id) other.parent = parent;
    for (const item of this.items.values()) item.categories = item.categories.filter((one) => one !== id);
    this.categories.delete(id);
  }

  /** The products that a category lists, cheapest first. */
  listed(id: number, status: Item['status']): number[] {
    return [...this.items]
      .filter(
        ([, item]) => item.status === status && item.categories.some((one) => this.line(one).includes(id)),
      )
      .sort(([a, one], [b, other]) => one.price - other.price || a - b)
      .map(([product]) => product);
  }
}
