import { formatMoney } from '../../../client/src/index.ts';
import { DAY, now } from '../../kernel/core/clock.ts';
import { MAX_LINE_QUANTITY } from '../../kernel/core/limits.ts';
import { localSpan, zoneName } from '../../kernel/values/time-zone.ts';
import { clip } from '../../web/index.ts';
import { titled } from '../frame/titled.ts';
import { Chip, Chips, MAX_LABEL_LENGTH } from './chips.tsx';
import {
  chooseVariant,
  chosenCount,
  chosenItems,
  chosenLinks,
  FIELDS,
  type Filled,
  type OptionValue,
  type Part,
  type Product,
} from './choice.ts';

/** Values of an option that are shown as buttons; more are a select. */
const MAX_BUTTONS = 24;
/** Bookable slots on a page, soonest first. */
const SLOTS_SHOWN = 12;

/** What pickers are made from. */
export interface PickerProps {
  readonly product: Product;
  /** The products of a bundle or a group by id. */
  readonly parts: ReadonlyMap<number, Part>;
  readonly filled: Filled;
}

/** The choice of no value of an option, or of no item of an optional group. */
const NONE = 'None';

const WORDS = { available: '', sold_out: 'sold out', missing: 'not available' } as const;

const OptionSelect = ({
  name,
  field,
  values,
}: {
  name: string;
  field: string;
  values: readonly OptionValue[];
}) => (
  <p class="field">
    <label for={field} dir="auto">
      {clip(titled(name), MAX_LABEL_LENGTH)}
    </label>
    <select id={field} name={field}>
      {values.map(({ value, chosen, state }) => (
        <option value={value} selected={chosen}>
          {value || NONE}
          {state !== 'available' && ` (${WORDS[state]})`}
        </option>
      ))}
    </select>
  </p>
);

/** A picker for each option of a configurable product. */
const Options = ({ product, filled }: PickerProps) => (
  <>
    {chooseVariant(product, filled).options.map(({ name, values }, at) => {
      const field = FIELDS.option(at);
      return values.length > MAX_BUTTONS ? (
        <OptionSelect name={name} field={field} values={values} />
      ) : (
        <Chips legend={titled(name)}>
          {values.map(({ value, chosen, state }) => (
            <Chip name={field} value={value} label={value || NONE} checked={chosen} off={WORDS[state]} />
          ))}
        </Chips>
      );
    })}
  </>
);

/** Returns whether an instant is so near that its date needs no year. */
const isSoon = (instant: string): boolean => Date.parse(instant) - now() < 300 * DAY;

/** The times of a booking, soonest first. Sold-out ones are shown as such. */
const Slots = ({ product: { booking }, filled }: PickerProps) => {
  if (!booking) return null;
  const page = Math.max(0, Math.trunc(Number(filled.later?.[0])) || 0);
  const slots = booking.slots.slice(page * SLOTS_SHOWN, (page + 1) * SLOTS_SHOWN);
  const picked = filled[FIELDS.slot]?.[0];
  const first = slots.find(({ available }) => available > 0);
  const hasLater = booking.slots.length > (page + 1) * SLOTS_SHOWN;
  return (
    <>
      <Chips legend={`Time (${zoneName(booking.timezone)})`} times>
        {slots.map((slot) => (
          <Chip
            name={FIELDS.slot}
            value={`${slot.from} ${slot.to}`}
            label={localSpan([slot.from, slot.to], booking.timezone, { year: !isSoon(slot.from) })}
            checked={picked ? picked === `${slot.from} ${slot.to}` : slot === first}
            disabled={slot.available === 0}
            {...(slot.available > 0 ? { extra: `${slot.available} left` } : { off: 'sold out' })}
          />
        ))}
      </Chips>
      {(page > 0 || hasLater) && (
        <p>
          {page > 0 && <a href={`?later=${page - 1}`}>Earlier times</a>}{' '}
          {hasLater && <a href={`?later=${page + 1}`}>Later times</a>}
        </p>
      )}
    </>
  );
};

const more = (price: number | undefined, currency: string): string | undefined =>
  price ? `+ ${formatMoney(price, currency, 'en')}` : undefined;

const Links = ({ product, filled }: PickerProps) => {
  const chosen = chosenLinks(product, filled);
  return product.links?.length ? (
    <Chips legend="Files">
      {product.links.map(({ id, title, price }) => (
        <Chip
          name={FIELDS.link}
          value={String(id)}
          label={title}
          checked={chosen.includes(id)}
          many
          extra={more(price, product.currency)}
        />
      ))}
    </Chips>
  ) : null;
};

/** The groups of a bundle, each with the price of its items. An optional choice of one can be none. */
const Bundle = ({ product: { bundle_groups: groups = [], currency }, parts, filled }: PickerProps) => (
  <>
    {groups.map((group) => {
      const { id, title, required, multiple, items } = group;
      const chosen = chosenItems(group, filled, parts);
      const name = FIELDS.bundle(id);
      return (
        <Chips legend={required ? title : `${title} (optional)`}>
          {!required && !multiple && (
            <Chip name={name} value="0" label={NONE} checked={chosen.length === 0} />
          )}
          {items.map((item) => {
            const part = parts.get(item.product_id);
            const label = part?.name ?? `Product ${item.product_id}`;
            const soldOut = part?.in_stock === false;
            return (
              <Chip
                name={name}
                value={String(item.id)}
                label={item.quantity > 1 ? `${item.quantity} × ${label}` : label}
                checked={chosen.includes(item.id) && !soldOut}
                many={multiple}
                disabled={soldOut}
                {...(soldOut
                  ? { off: 'sold out' }
                  : { extra: more((part?.price ?? 0) * item.quantity, currency) })}
              />
            );
          })}
        </Chips>
      );
    })}
  </>
);

/** The products of a group, each with a quantity. */
const Grouped = ({ product: { grouped = [], currency }, parts, filled }: PickerProps) =>
  grouped.length > 0 ? (
    <ul class="parts">
      {grouped.map((one) => {
        const part = parts.get(one.product_id);
        const field = FIELDS.part(one.product_id);
        return (
          <li>
            <label for={field}>
              <span dir="auto">{clip(part?.name ?? `Product ${one.product_id}`, MAX_LABEL_LENGTH)}</span>
              <small>
                {part?.in_stock === false ? 'sold out' : formatMoney(part?.price ?? 0, currency, 'en')}
              </small>
            </label>
            <input
              id={field}
              name={field}
              type="number"
              min={0}
              max={MAX_LINE_QUANTITY}
              value={String(part?.in_stock === false ? 0 : chosenCount(one, filled))}
              required
            />
          </li>
        );
      })}
    </ul>
  ) : null;

/** All that can be chosen of a product, by its type. */
export const Pickers = (props: PickerProps) => (
  <>
    <Options {...props} />
    <Slots {...props} />
    <Links {...props} />
    <Bundle {...props} />
    <Grouped {...props} />
  </>
);
