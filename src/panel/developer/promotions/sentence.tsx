import type { Child } from 'hono/jsx';
import type { z } from 'zod';
import { now } from '../../../kernel/core/clock.ts';
import { type Amount, formatMoney } from '../../../kernel/values/money.ts';
import type { PromotionAnswer } from '../../../promotions/index.ts';
import { clip } from '../../../web/index.ts';
import { countOf } from '../../count-of.ts';

export type Promotion = z.output<typeof PromotionAnswer>;

/** Whether a promotion applies at present, as the API's `standing` filters. */
export type Standing = 'running' | 'scheduled' | 'over' | 'off';

/** Returns whether a promotion applies at present. */
export function standingOf({ active, starts_at, ends_at, max_uses, uses }: Promotion): Standing {
  if (!active) return 'off';
  if ((ends_at !== null && Date.parse(ends_at) <= now()) || (max_uses !== null && uses >= max_uses))
    return 'over';
  return starts_at !== null && Date.parse(starts_at) > now() ? 'scheduled' : 'running';
}

/** Returns an amount in words: `€5.00`, or `€5.00 or $6.00`. A number is shown in the main currency. */
const amountText = (amount: Amount, currency: string): string =>
  typeof amount === 'number'
    ? formatMoney(amount, currency)
    : Object.entries(amount)
        .map(([code, value]) => formatMoney(value, code))
        .join(' or ');

/** Returns which line items a promotion reduces: "all products", "2 products and 1 category". */
function targetText({ product_ids, category_ids }: Promotion['conditions']): string {
  const named = [
    ...(product_ids.length > 0 ? [countOf(product_ids.length, 'product')] : []),
    ...(category_ids.length > 0 ? [countOf(category_ids.length, 'category')] : []),
  ];
  return named.length > 0 ? named.join(' and ') : 'all products';
}

/** Returns what an effect gives: "10 % off", "Buy 2, get 1 free". */
export function gainText(effect: Promotion['effect'], currency: string): string {
  switch (effect.kind) {
    case 'percent':
      return `${effect.value} % off`;
    case 'fixed':
      return `${amountText(effect.value, currency)} off`;
    case 'free_shipping':
      return 'Free shipping';
    case 'buy_x_get_y':
      return `Buy ${effect.buy}, get ${effect.get} ${effect.percent_off === 100 ? 'free' : `${effect.percent_off} % off`}`;
  }
}

/** Returns what a promotion gives, without its conditions: "10 % off 2 products". */
export function effectText({ effect, conditions }: Promotion, currency: string): string {
  const gain = gainText(effect, currency);
  if (effect.kind === 'free_shipping') return gain;
  return `${gain}${effect.kind === 'buy_x_get_y' ? ', of' : ''} ${targetText(conditions)}`;
}

function conditionText({ conditions, effect }: Promotion, currency: string): string {
  const { minimum_subtotal, minimum_quantity, first_order } = conditions;
  const shipped = effect.kind === 'free_shipping' && targetText(conditions) !== 'all products';
  return [
    ...(shipped ? [`for carts with ${targetText(conditions)}`] : []),
    ...(minimum_subtotal === null ? [] : [`for carts from ${amountText(minimum_subtotal, currency)}`]),
    ...(minimum_quantity === null ? [] : [`with at least ${countOf(minimum_quantity, 'unit')} of them`]),
    ...(first_order ? ['on a first order'] : []),
  ].join(', ');
}

/** Returns how many orders redeemed a promotion: "3", or "3 of 100". */
export const usesText = ({ uses, max_uses }: Promotion): string =>
  `${uses}${max_uses === null ? '' : ` of ${max_uses}`}`;

const limitText = ({ max_uses, max_uses_per_customer }: Promotion): string =>
  [
    ...(max_uses === null ? [] : [`${countOf(max_uses, 'order')} in all`]),
    ...(max_uses_per_customer === null ? [] : [`${countOf(max_uses_per_customer, 'order')} per customer`]),
  ].join(' and ');

/** An instant in UTC, as the fields below have it: in the reader's time, which is shorter, it would leave gaps. */
const InUtc = ({ at }: { at: string }) => (
  <span class="together">{at.slice(0, 16).replace('T', ' ')} UTC</span>
);

const Period = ({ starts_at, ends_at }: Promotion) => (
  <>
    {starts_at && (
      <>
        {' '}
        From <InUtc at={starts_at} />
        {ends_at ? '' : ' on.'}
      </>
    )}
    {ends_at && (
      <>
        {starts_at ? ' until ' : ' Until '}
        <InUtc at={ends_at} />.
      </>
    )}
  </>
);

/** What a promotion does, for whom and when, in sentences. */
export const Sentence = ({ promotion, currency }: { promotion: Promotion; currency: string }): Child => {
  const condition = conditionText(promotion, currency);
  const limit = limitText(promotion);
  return (
    <p class="lead">
      {effectText(promotion, currency)}
      {condition && `, ${condition}`},{' '}
      {promotion.code === null ? (
        'automatically.'
      ) : (
        <>
          with the code <code>{clip(promotion.code, 64)}</code>.
        </>
      )}
      <Period {...promotion} />
      {limit && ` At most ${limit}.`}
      {promotion.combinable
        ? ' Together with other promotions that combine.'
        : ' Not together with other promotions.'}
    </p>
  );
};
