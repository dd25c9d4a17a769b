import { type FacetRow, groupFacets } from '../../filters/facets.ts';
import type { FacetRequest, Filters } from '../../filters/filter-query.ts';
import type { TextQuery } from '../../filters/text-query.ts';
import { type CategoryTree, countBits, intersect, type Segment, type Terms } from '../segments/index.ts';
import { countFacet } from './count-facets.ts';
import { type ListScope, type Match, matcher, matchSegment } from './match.ts';
import { TextMatcher } from './match-text.ts';
import { type Cut, cutPage, type Listed, type ListOrder } from './page.ts';
import { cutByRelevance } from './rank.ts';

/** A page of a filtered list, and the facets to count. */
export interface IndexQuestion extends ListScope {
  readonly filters: Filters;
  readonly facets: readonly FacetRequest[];
  /** The text that products have to match; null: all do. */
  readonly text: TextQuery | null;
  readonly order: Omit<ListOrder, 'currency'> | 'relevance';
  readonly cut: Cut;
}

/** The result of an {@link IndexQuestion} at a catalogue version; equal to what the database returns at it. */
export interface IndexAnswer {
  readonly version: number;
  readonly page: readonly Listed[];
  readonly total: number;
  /** The number of active products that match the text, whatever the filters; 0 without a text. */
  readonly textTotal: number;
  /** The rows of each facet, by its name. */
  readonly facets: Readonly<Record<string, readonly FacetRow[]>>;
}

/** The segments of an index with what they share. */
interface ListContent {
  segments(): readonly Segment[];
  readonly tree: CategoryTree;
  /** The tenant's threshold of low stock. */
  readonly lowStock: number;
  terms(name: string): Terms;
}

/** Returns the page, total and facets of a list. Takes about 10 ns for each product of the tenant. */
export function answerQuestion(content: ListContent, question: IndexQuestion): Omit<IndexAnswer, 'version'> {
  const { filters, facets, currency, mainCurrency, statuses } = question;
  const scope = { currency, mainCurrency, statuses };
  const { tree, terms, lowStock } = content;
  const segments = content.segments();
  const text = question.text && new TextMatcher(question.text, tree);
  const matchesOf = (wanted: Filters, counted: readonly string[]): Match[] => {
    const prepared = matcher(scope, wanted, { tree, text, lowStock, counted });
    return segments.flatMap((segment) => matchSegment(segment, prepared) ?? []);
  };
  const groups = groupFacets(filters, facets);
  // Facets with all filters are counted over what the page shows.
  const shown = groups.find((group) => JSON.stringify(group.filters) === JSON.stringify(filters));
  const namesOf = (group: typeof shown) => group?.facets.map(({ name }) => name) ?? [];
  const matches = matchesOf(filters, namesOf(shown));
  const counted = groups.flatMap((group) => {
    const over = group === shown ? matches : matchesOf(group.filters, namesOf(group));
    return namesOf(group).map(
      (name) => [name, countFacet({ scope, segments, tree, terms }, over, name)] as const,
    );
  });
  const total = matches.reduce((sum, { count }) => sum + count, 0);
  return {
    // Behind the end, all matches would be put in order for nothing.
    page: question.cut.offset < total ? pageOf(matches, question, text) : [],
    total,
    textTotal: text ? segments.reduce((sum, segment) => sum + countText(segment, text, question), 0) : 0,
    facets: Object.fromEntries(counted),
  };
}

function pageOf(
  matches: readonly Match[],
  { order, cut, currency }: IndexQuestion,
  text: TextMatcher | null,
): Listed[] {
  if (order === 'relevance') return text ? cutByRelevance(matches, text, cut) : [];
  return cutPage(matches, { ...order, currency }, cut).map((place) => ({ ...place, key: place.id }));
}

function countText(segment: Segment, text: TextMatcher, { mainCurrency }: ListScope): number {
  const products = segment.productsIn(mainCurrency, ['active']);
  intersect(products, text.matches(segment));
  return countBits(products);
}
