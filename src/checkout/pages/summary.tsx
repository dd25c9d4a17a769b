import { firstOf } from '../../kernel/text/text.ts';
import { formatMoney, toNumber } from '../../kernel/values/money.ts';
import { bookedTime } from '../../kernel/values/time-zone.ts';
import type { PromotionShare } from '../../pricing/index.ts';
import type { Purchase, PurchaseLine } from '../sessions/purchase.ts';
import { shippingTerm } from './form/delivery.tsx';

/** Formats an amount in minor units: (1990, "EUR") → "€19.90". */
export const moneyText = (minor: number, currency: string): string =>
  formatMoney(toNumber(minor, currency), currency);

/** The longest text of the choices of a line, in characters. */
const MAX_CHOICES_LENGTH = 200;

/** The fields that distinguish lines of one product. */
type Choice = Pick<PurchaseLine, 'variantId' | 'sku' | 'selected'>;

/**
 * Returns what distinguishes a line from others of its product: the values of its variant, what was chosen of a
 * bundle, the titles of its files, or the booked time.
 */
export function lineDetails({ variantId, sku, selected = [] }: Choice): string[] {
  const time = bookedTime(selected);
  if (time !== null) return [time];
  const values = selected.map(({ value }) => value).join(' / ') || (variantId === null ? '' : sku);
  return values === '' ? [] : [firstOf(values, MAX_CHOICES_LENGTH)];
}

interface TotalRowProps {
  readonly term: string;
  /** Texts of the shop, which follow the term in parentheses. */
  readonly about?: readonly string[];
  readonly value: string;
  readonly kind?: string;
}

const TotalRow = ({ term, about = [], value, kind }: TotalRowProps) => (
  <div class={kind}>
    <dt>
      {term}
      {about.map((text) => (
        <>
          {' '}
          (<bdi>{text}</bdi>)
        </>
      ))}
    </dt>
    <dd class="amount">{value}</dd>
  </div>
);

/** Returns what shoppers know a promotion by: its name, with the code if that is another. */
const promotionText = ({ name, code }: PromotionShare): string =>
  code === null || code === name ? name : `${name}, ${code}`;

/** Returns the method of the shipping, and the promotions that deduct nothing from the goods: they make it free. */
const aboutShipping = ({ promotions, totals, hasMethods, shippingMethod }: Purchase): string[] => {
  const free = promotions.filter(({ amount }) => amount === 0).map(promotionText);
  return [
    ...(hasMethods && shippingMethod ? [shippingMethod.name] : []),
    ...(totals.shipping === 0 && free.length > 0 ? [free.join(', ')] : []),
  ];
};

const TotalsList = ({ purchase }: { purchase: Purchase }) => {
  const { currency, promotions, totals } = purchase;
  const { subtotal, discount, shipping, tax, taxIncluded, grandTotal } = totals;
  const amount = (minor: number) => moneyText(minor, currency);
  const charge = shipping === 0 ? 'Free' : amount(shipping);
  return (
    <dl>
      <TotalRow term="Subtotal" value={amount(subtotal)} />
      {promotions
        .filter((promotion) => promotion.amount > 0)
        .map((promotion) => (
          <TotalRow term="Discount" about={[promotionText(promotion)]} value={amount(-promotion.amount)} />
        ))}
      {discount > 0 && promotions.length === 0 ? (
        <TotalRow term="Discount" value={amount(-discount)} />
      ) : null}
      {purchase.ships || shipping > 0 ? (
        <TotalRow
          term={shippingTerm(purchase)}
          about={aboutShipping(purchase)}
          value={purchase.shippingMethod === null ? '–' : charge}
        />
      ) : null}
      {taxIncluded ? null : <TotalRow term="Tax" value={amount(tax)} />}
      <TotalRow term="Total" value={amount(grandTotal)} kind="total" />
      {taxIncluded ? <TotalRow term="Tax included" value={amount(tax)} kind="soft" /> : null}
    </dl>
  );
};

/** What is bought, and what it costs. */
export const Summary = ({ purchase }: { purchase: Purchase }) => {
  const { lines, currency } = purchase;
  return (
    <section class="summary" aria-labelledby="summary">
      <h2 id="summary">Your order</h2>
      <ul class="lines">
        {lines.map((line) => (
          <li>
            <div>
              <p dir="auto">{line.name}</p>
              <p class="soft">
                {line.quantity} × {moneyText(line.unitPrice, currency)}
                {lineDetails(line).map((text) => (
                  <>
                    {' '}
                    · <bdi>{text}</bdi>
                  </>
                ))}
              </p>
            </div>
            <p class="amount">{moneyText(line.subtotal, currency)}</p>
          </li>
        ))}
      </ul>
      <TotalsList purchase={purchase} />
    </section>
  );
};
