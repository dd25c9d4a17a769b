import { z } from 'zod';
import { formatMoney, type Schemas } from '../../client/src/index.ts';

type Product = Schemas['Product'];

/** One option: a radio button, or a checkbox if `many`. Its field name selects the option in the API body. */
interface Pick {
  readonly name: string;
  readonly value: string;
  readonly label: string;
  readonly many: boolean;
}

/** Options under one title. */
interface Group {
  readonly title: string;
  readonly picks: readonly Pick[];
}

const DATE_FORMAT = new Intl.DateTimeFormat('en', {
  dateStyle: 'medium',
  timeStyle: 'short',
  hourCycle: 'h23',
  timeZone: 'UTC',
});

/** Bookable slots offered, soonest first. */
const MAX_SLOTS_SHOWN = 10;

const variants = ({ variants = [], currency }: Product): Group => ({
  title: 'Variant',
  picks: variants.map((variant) => {
    const label = `${variant.name}: ${formatMoney(variant.price, currency, 'en')}`;
    return {
      name: 'variant',
      value: String(variant.id),
      label: variant.in_stock ? label : `${label} (sold out)`,
      many: false,
    };
  }),
});

const slots = ({ booking }: Product): Group => ({
  title: 'Time (UTC)',
  picks: (booking?.slots ?? [])
    .filter(({ available }) => available > 0)
    .slice(0, MAX_SLOTS_SHOWN)
    .map(({ from, to, available }) => {
      const label = `${DATE_FORMAT.format(new Date(from))} (${available}\u00a0available)`;
      return { name: 'slot', value: `${from} ${to}`, label, many: false };
    }),
});

const files = ({ links = [], currency }: Product): Group => ({
  title: 'Files',
  picks: links.map(({ id, title, price }) => {
    const label = price ? `${title}: ${formatMoney(price, currency, 'en')}` : title;
    return { name: 'link', value: String(id), label, many: true };
  }),
});

const bundle = ({ bundle_groups = [] }: Product, names: ReadonlyMap<number, string>): Group[] =>
  bundle_groups.map(({ id, title, required, multiple, items }) => ({
    title: required ? title : `${title} (optional)`,
    picks: items.map((item) => {
      const label = names.get(item.product_id) ?? `Product ${item.product_id}`;
      return { name: `bundle-${id}`, value: String(item.id), label, many: multiple };
    }),
  }));

/** The options of a product; `names` are the names of a bundle's products by id. */
export const Choices = ({ goods, names }: { goods: Product; names: ReadonlyMap<number, string> }) => (
  <>
    {[variants(goods), slots(goods), files(goods), ...bundle(goods, names)]
      .filter(({ picks }) => picks.length > 0)
      .map(({ title, picks }) => (
        <fieldset>
          <legend>{title}</legend>
          <div class="checks">
            {picks.map(({ name, value, label, many }, at) => (
              <label>
                <input
                  type={many ? 'checkbox' : 'radio'}
                  name={name}
                  value={value}
                  checked={at === 0 && (!many || name === 'link')}
                />
                <span>{label}</span>
              </label>
            ))}
          </div>
        </fieldset>
      ))}
  </>
);

/** The fields of a form with {@link Choices}. */
export const Chosen = z.record(
  z.string().max(60),
  z.union([z.string().max(200), z.array(z.string().max(200)).max(200)]),
);

/** Returns the choices as `options` of POST /v1/cart/items, or undefined for a product without options. */
export function optionsOf(
  goods: Product,
  chosen: z.output<typeof Chosen>,
): Record<string, unknown> | undefined {
  const all = (name: string) => [chosen[name] ?? []].flat();
  const numbers = (name: string) => all(name).map(Number);
  const [slot] = all('slot');
  const [from, to] = slot?.split(' ') ?? [];
  if (goods.variants?.length) return { variant_id: numbers('variant')[0] ?? 0 };
  if (goods.booking) return { booking: { from, to } };
  if (goods.links?.length) return { links: numbers('link') };
  if (goods.grouped?.length) {
    return { qty: Object.fromEntries(goods.grouped.map((one) => [one.product_id, one.default_quantity])) };
  }
  if (!goods.bundle_groups?.length) return undefined;
  const groups = goods.bundle_groups.map(({ id }) => [String(id), numbers(`bundle-${id}`)] as const);
  return { bundle_options: Object.fromEntries(groups.filter(([, picked]) => picked.length > 0)) };
}
