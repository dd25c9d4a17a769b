import type { PageRows, PageScope } from '../reads/page-rows.ts';
import type { IndexAnswer, IndexQuestion } from './questions/index.ts';

/**
 * Why an index returns no list: it is being built, is behind the required version, other tenants' indexes use up the
 * isolate's memory, it has no texts, the tenant has few products, or the index would be too large.
 */
export type IndexRefusal = 'building' | 'behind' | 'no_memory' | 'no_texts' | 'small' | 'too_large';

/** A question, and the lowest catalogue version that its result may have; null: the newest. */
export interface IndexCall {
  readonly tenantId: number;
  readonly atLeast: number | null;
  readonly question: IndexQuestion;
  readonly page: PageScope;
}

/** The answer of an index. `rows` are those of the page, if the index has read them with the changes. */
export interface IndexedPage extends IndexAnswer {
  readonly rows: PageRows | null;
}

/** Rows of products at a catalogue version. */
export interface RowsAt {
  readonly version: number;
  readonly rows: PageRows;
}
