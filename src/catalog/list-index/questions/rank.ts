import { PLACE_STRIDE, searchPlace } from '../../indexing/search-words.ts';
import { countBits, intersect, subtract } from '../segments/index.ts';
import type { Match } from './match.ts';
import type { TextMatcher } from './match-text.ts';
import { type Cut, cutPage, type Listed } from './page.ts';

/**
 * Returns a page of the matching products by relevance: by the first tier that they match, then by their place. Tiers
 * after the page are not evaluated.
 */
export function cutByRelevance(matches: readonly Match[], text: TextMatcher, cut: Cut): Listed[] {
  const page: Listed[] = [];
  let { offset } = cut;
  let left = matches;
  for (let tier = 0; tier <= text.tiers && page.length < cut.limit; tier++) {
    const [inTier, others] = divided(left, text, tier);
    left = others;
    if (cut.after !== null && tier < Number(cut.after.value)) continue;
    const count = inTier.reduce((sum, one) => sum + one.count, 0);
    if (offset < count)
      page.push(...ofTier(inTier, tier, { ...cut, offset, limit: cut.limit - page.length }));
    offset = Math.max(0, offset - count);
  }
  return page;
}

/** Divides matches into those of a tier and those of later ones. */
function divided(matches: readonly Match[], text: TextMatcher, tier: number): [Match[], Match[]] {
  // The last tier has everything that matches no other one.
  if (tier === text.tiers) return [[...matches], []];
  const [inTier, others]: [Match[], Match[]] = [[], []];
  for (const match of matches) {
    const [found, left] = [match.products.slice(), match.products.slice()];
    const withTier = text.inTier(match.segment, tier);
    intersect(found, withTier);
    subtract(left, withTier);
    for (const [list, products] of [
      [inTier, found],
      [others, left],
    ] as const) {
      const count = countBits(products);
      if (count > 0) list.push({ ...match, products, count });
    }
  }
  return [inTier, others];
}

function ofTier(matches: readonly Match[], tier: number, { after, offset, limit }: Cut): Listed[] {
  // The cursor names the place: the length of the name, and the id.
  const last =
    after !== null && tier === Number(after.value)
      ? { value: Math.floor(after.id / PLACE_STRIDE), id: after.id % PLACE_STRIDE }
      : null;
  const order = { column: 'name_length', falls: false, currency: '' } as const;
  return cutPage(matches, order, { after: last, offset, limit }).map(({ id, value }) => ({
    id,
    value: tier,
    key: searchPlace(Number(value), id),
  }));
}
