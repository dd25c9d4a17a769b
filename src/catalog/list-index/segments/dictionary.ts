import type { ColumnData } from './segment-data.ts';

/** Values of one name, numbered across all segments. */
export class Terms {
  private readonly numbers = new Map<string, number>();
  readonly values: string[] = [];
  /** The only spelling of each value; null if there are several. */
  readonly spellings: (string | null)[] = [];

  /** Returns the numbers of a column's values, in their order. */
  intern({ values, starts, spellings, spelled }: ColumnData): Uint32Array {
    const places = values.map((value, at) => {
      const spelling = spellings[spelled[starts[at] ?? 0] ?? 0] ?? value;
      const run = spelled.subarray(starts[at], starts[at + 1]);
      const isOnly = run.every((one) => one === run[0]);
      return this.numberOf(value, isOnly ? spelling : null);
    });
    return Uint32Array.from(places);
  }

  private numberOf(value: string, spelling: string | null): number {
    const known = this.numbers.get(value);
    if (known === undefined) {
      this.numbers.set(value, this.values.length);
      this.spellings.push(spelling);
      return this.values.push(value) - 1;
    }
    if (this.spellings[known] !== spelling) this.spellings[known] = null;
    return known;
  }
}

/** The values of all names, numbered across the segments of an index. Values that no product has any more stay. */
export class Dictionary {
  private readonly names = new Map<string, Terms>();

  /** Returns the values of a name that a segment has. */
  termsOf(name: string): Terms {
    const known = this.names.get(name) ?? new Terms();
    this.names.set(name, known);
    return known;
  }

  /** Returns the values of a name that may be unknown. */
  find = (name: string): Terms => this.names.get(name) ?? new Terms();

  /** Returns the number of values of all names. */
  size = (): number => [...this.names.values()].reduce((sum, { values }) => sum + values.length, 0);
}
