/** A cart priced by hand: unit by unit and in exact fractions. Nothing here is shared with the service. */

/** A line; `price` is in minor units. */
export interface ModelLine {
  readonly product: number;
  readonly price: number;
  readonly quantity: number;
  readonly ships: boolean;
  readonly taxClass: string | null;
}

/** A promotion; percentages have at most six decimals, amounts are in minor units. */
export interface ModelPromotion {
  readonly id: number;
  readonly priority: number;
  readonly combinable: boolean;
  readonly effect:
    | { readonly kind: 'percent'; readonly percent: number }
    | { readonly kind: 'fixed'; readonly amount: number }
    | { readonly kind: 'free_shipping' }
    | { readonly kind: 'sets'; readonly buy: number; readonly get: number; readonly percent: number };
  /** None: all. */
  readonly products: readonly number[];
  readonly minimumSubtotal: number;
  readonly minimumQuantity: number;
}

/** A shop; its one shipping method is free from a value of the goods on. */
export interface ModelShop {
  readonly included: boolean;
  readonly standardRate: number;
  readonly bookRate: number;
  readonly shippingTaxed: boolean;
  readonly tiers: readonly { readonly from: number; readonly price: number }[];
  readonly freeOver: number | null;
}

export interface ModelBill {
  readonly lines: readonly { readonly discount: number; readonly tax: number }[];
  readonly subtotal: number;
  readonly discount: number;
  readonly shipping: number;
  readonly tax: number;
  readonly grandTotal: number;
  readonly applied: readonly number[];
}

const millionths = (percent: number): bigint => BigInt(percent.toFixed(6).replace('.', ''));
const halfUp = (over: bigint, under: bigint): number => Number((2n * over + under) / (2n * under));
const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
const worth = ({ price, quantity }: ModelLine): number => price * quantity;

/** Returns a percentage of an amount. */
const percentOf = (amount: number, percent: number): number =>
  halfUp(BigInt(amount) * millionths(percent), 100_000_000n);

/** Returns the tax on an amount, or in it. */
function taxOf(amount: number, percent: number, included: boolean): number {
  const under = 100_000_000n + (included ? millionths(percent) : 0n);
  return halfUp(BigInt(amount) * millionths(percent), under);
}

const isFor = ({ products }: ModelPromotion, { product }: ModelLine): boolean =>
  products.length === 0 || products.includes(product);

/** Returns whether the conditions of a promotion hold. */
function holds(promotion: ModelPromotion, lines: readonly ModelLine[]): boolean {
  const { effect, minimumQuantity, minimumSubtotal } = promotion;
  const units = total(lines.filter((line) => isFor(promotion, line)).map(({ quantity }) => quantity));
  const least = effect.kind === 'sets' ? effect.buy + 1 : 1;
  return units >= Math.max(least, minimumQuantity) && total(lines.map(worth)) >= minimumSubtotal;
}

/** Returns how many units of each line the sets reduce: the units stand in a row, the dearest first. */
function reducedUnits(
  { buy, get }: { readonly buy: number; readonly get: number },
  lines: readonly ModelLine[],
  left: readonly number[],
): number[] {
  const row = lines.flatMap(({ quantity }, n) => Array.from({ length: quantity }, () => n));
  const quantityOf = (n: number): bigint => BigInt(lines[n]?.quantity ?? 1);
  const leftOf = (n: number): bigint => BigInt(left[n] ?? 0);
  row.sort((a, b) => Number(leftOf(b) * quantityOf(a) - leftOf(a) * quantityOf(b)) || a - b);
  const counts = lines.map(() => 0);
  row.forEach((n, place) => {
    if (place % (buy + get) >= buy) counts[n] = (counts[n] ?? 0) + 1;
  });
  return counts;
}

/** Returns the part of each line that a promotion is computed from. */
function basis(promotion: ModelPromotion, lines: readonly ModelLine[], left: readonly number[]): number[] {
  const { effect } = promotion;
  const eligible = left.map((rest, n) => {
    const line = lines[n];
    return line && isFor(promotion, line) ? rest : 0;
  });
  if (effect.kind !== 'sets') return eligible;
  const mine = lines.map((line) => (isFor(promotion, line) ? line : { ...line, quantity: 0 }));
  const reduced = reducedUnits(effect, mine, eligible);
  return eligible.map((rest, n) => {
    const exact = BigInt(rest) * BigInt(reduced[n] ?? 0);
    return Number(exact / BigInt(lines[n]?.quantity ?? 1));
  });
}

function deduction({ effect }: ModelPromotion, base: number): number {
  if (effect.kind === 'free_shipping') return 0;
  return effect.kind === 'fixed' ? Math.min(effect.amount, base) : percentOf(base, effect.percent);
}

/** Splits an amount: each share is rounded down, and what is left goes to those that lost most, one unit each. */
function split(amount: number, weights: readonly number[]): number[] {
  const all = BigInt(total(weights));
  if (all === 0n) return weights.map(() => 0);
  const exact = weights.map((weight) => BigInt(amount) * BigInt(weight));
  const shares = exact.map((one) => Number(one / all));
  // The sort is stable: of equal remainders, the earlier line comes first.
  const losers = exact
    .map((one, n) => ({ n, lost: one % all }))
    .sort((a, b) => Number(b.lost > a.lost) - Number(a.lost > b.lost));
  for (const { n } of losers.slice(0, amount - total(shares))) shares[n] = (shares[n] ?? 0) + 1;
  return shares;
}

function shippingOf(shop: ModelShop, lines: readonly ModelLine[], goods: number): number {
  if (!lines.some(({ ships }) => ships)) return 0;
  if (shop.freeOver !== null && goods >= shop.freeOver) return 0;
  return shop.tiers.reduce((price, tier) => (goods >= tier.from ? tier.price : price), 0);
}

/** Prices a cart with these promotions, all of which apply. */
function billWith(
  shop: ModelShop,
  lines: readonly ModelLine[],
  promotions: readonly ModelPromotion[],
): ModelBill {
  let left = lines.map(worth);
  const applied: number[] = [];
  for (const one of promotions.toSorted((a, b) => a.priority - b.priority || a.id - b.id)) {
    const weights = basis(one, lines, left);
    const amount = deduction(one, total(weights));
    // One that takes nothing off is not among those that apply.
    if (amount === 0 && one.effect.kind !== 'free_shipping') continue;
    const shares = split(amount, weights);
    left = left.map((rest, n) => rest - (shares[n] ?? 0));
    applied.push(one.id);
  }
  const [subtotal, goods] = [total(lines.map(worth)), total(left)];
  const isFree = promotions.some(({ effect }) => effect.kind === 'free_shipping');
  const shipping = isFree ? 0 : shippingOf(shop, lines, goods);
  const priced = lines.map((line, n) => {
    const rate = line.taxClass === 'books' ? shop.bookRate : shop.standardRate;
    const net = left[n] ?? 0;
    return { discount: worth(line) - net, tax: taxOf(net, rate, shop.included) };
  });
  const shippingTax = shop.shippingTaxed ? taxOf(shipping, shop.standardRate, shop.included) : 0;
  const tax = total(priced.map((one) => one.tax)) + shippingTax;
  const grandTotal = goods + shipping + (shop.included ? 0 : tax);
  return { lines: priced, subtotal, discount: subtotal - goods, shipping, tax, grandTotal, applied };
}

/** Prices a cart with the promotions that are best for the shopper: all that combine, or one alone, or none if none do. */
export function modelBill(
  shop: ModelShop,
  lines: readonly ModelLine[],
  candidates: readonly ModelPromotion[],
): ModelBill {
  const possible = candidates.filter((one) => holds(one, lines));
  const together = possible.filter(({ combinable }) => combinable);
  const alone = possible.filter(({ combinable }) => !combinable).toSorted((a, b) => a.id - b.id);
  const choices = [
    ...(together.length > 0 || alone.length === 0 ? [together] : []),
    ...alone.map((one) => [one]),
    ...(together.length === 0 ? [[]] : []),
  ];
  const bills = choices.map((choice) => billWith(shop, lines, choice));
  const lowest = Math.min(...bills.map(({ grandTotal }) => grandTotal));
  const [best] = bills.filter(({ grandTotal }) => grandTotal === lowest);
  if (!best) throw new Error('There is always a choice');
  return best;
}
