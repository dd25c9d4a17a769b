import { formatMoney, type Schemas } from '../../../client/src/index.ts';
import { MAX_LINE_QUANTITY } from '../../kernel/core/limits.ts';
import { localTimeText } from '../../kernel/values/time-zone.ts';
import { clip, FieldErrors, Form, type FormError, labelled, type PageRequest } from '../../web/index.ts';
import { titled } from '../frame/titled.ts';
import { Amounts, Picture } from '../shelf/card.tsx';

type Cart = Schemas['Cart'];
type Item = Cart['items'][number];

const MAX_NAME_LENGTH = 60;
const MAX_CHOICES = 4;

/** Returns an image as lists have it. An uploaded one is made smaller. */
const imageOf = (url: string | null, origin: string) => {
  if (url === null) return undefined;
  const isOwn = url.startsWith(`${origin}/`);
  return { url: isOwn ? `${url}?w=160` : url, alt: null, width: null, height: null };
};

/** What was chosen of the product: "Colour: Red". */
export const Choices = ({ of: selected }: { of: Item['selected'] }) => (
  <>
    {selected.slice(0, MAX_CHOICES).map((choice) => (
      <p class="soft" dir="auto">
        {clip(titled(choice.name), 40)}: {choiceText(choice)}
      </p>
    ))}
  </>
);

interface LineProps {
  readonly request: PageRequest;
  readonly item: Item;
  readonly currency: string;
  /** The page of the cart that shows the line. */
  readonly page: number;
  readonly formError: FormError | null;
}

const nameOf = ({ name }: Item): string => clip(name, MAX_NAME_LENGTH);

/** Returns a choice in words; a booking's times are those of its place. */
const choiceText = ({ value, timezone }: Item['selected'][number]): string =>
  timezone ? localTimeText(value, timezone) : clip(value, MAX_NAME_LENGTH);

/** The most characters of a name in a label, of which a line has three. */
const MAX_LABEL_LENGTH = 40;

/** Returns the name with what was chosen: a cart may have several lines of one product. */
const fullNameOf = ({ name, selected }: Item): string =>
  [clip(name, MAX_LABEL_LENGTH), ...selected.slice(0, MAX_CHOICES).map(choiceText)].join(', ');

/** The form that changes the quantity of a line or removes it. A quantity that was refused stays, with the error. */
const QuantityForm = ({ request, item, page, formError }: Omit<LineProps, 'currency'>) => {
  const [here, after] = [`/demo/cart/items/${item.id}`, `?page=${page}`];
  const f = { request, formError: request.c.req.path === here ? formError : null };
  const refused = f.formError?.errors.quantity && {
    id: labelled({ f, name: 'quantity', label: `Quantity of ${fullNameOf(item)}` }),
    'aria-invalid': 'true' as const,
    'aria-describedby': 'f-quantity-error',
  };
  return (
    <Form
      request={request}
      action={here + after}
      submit="Update"
      also={{ action: `${here}/remove${after}`, submit: 'Remove' }}
      about={fullNameOf(item)}
      quiet
    >
      <label>
        Quantity
        <input
          name="quantity"
          aria-label={`Quantity of ${fullNameOf(item)}`}
          type="number"
          min={0}
          max={MAX_LINE_QUANTITY}
          value={refused ? request.sent.quantity?.[0] : String(item.quantity)}
          required
          {...refused}
        />
      </label>
      <FieldErrors f={f} name="quantity" />
    </Form>
  );
};

/** A line of the cart: its picture, choices and price, and the form that changes it. */
export const Line = ({ request, item, currency, page, formError }: LineProps) => {
  const reduced = item.discounts.reduce((sum, { amount }) => sum + amount, 0);
  const { regular_price: regular, quantity } = item;
  const before = regular === null ? null : regular * quantity;
  return (
    <li class="line">
      <Picture of={imageOf(item.image, new URL(request.c.req.url).origin)} alt="" size={80} />
      <div>
        <h2 dir="auto">
          <a href={`/demo/products/${item.product_id}`}>{nameOf(item)}</a>
        </h2>
        <Choices of={item.selected} />
        {item.quantity > 1 && <p class="soft">{formatMoney(item.unit_price, currency, 'en')} each</p>}
      </div>
      <div>
        <p class="price">
          <Amounts price={item.total} before={before} currency={currency} />
        </p>
        {reduced > 0 && <p class="sale">{formatMoney(-reduced, currency, 'en')}</p>}
      </div>
      <QuantityForm request={request} item={item} page={page} formError={formError} />
    </li>
  );
};
