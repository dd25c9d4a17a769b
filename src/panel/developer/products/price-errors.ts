import { amountProblem, type PageRequest } from '../../../web/index.ts';

/** The fields of prices: those of `prices` and `sale.prices` name their currency, all others are in the main one. */
const PRICE = /(?:^|[._])(?:regular_)?price(?:-\d+)?$|^(?:sale\.)?prices\.([A-Z]{3})$/;

/**
 * Returns errors by field of the form's prices that may be of thousands: "1.000" is one where there are fewer decimals.
 */
export function priceErrors({ sent, tenant }: PageRequest): Record<string, string[]> {
  const [main = ''] = tenant.currencies;
  const errors: Record<string, string[]> = {};
  for (const [field, [text = '']] of Object.entries(sent)) {
    const [isPrice, currency = main] = PRICE.exec(field) ?? [];
    const problem = isPrice === undefined ? null : amountProblem(text.trim(), currency);
    if (problem !== null) errors[field] = [problem];
  }
  return errors;
}
