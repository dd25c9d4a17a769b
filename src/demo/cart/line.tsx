import { formatMoney, type Schemas } from '../../../client/src/index.ts';
import { MAX_LINE_QUANTITY } from '../../kernel/core/limits.ts';
import { localTimeText } from '../../kernel/values/time-zone.ts';
import { clip, Form, type PageRequest } from '../../web/index.ts';
import { titled } from '../frame/titled.ts';
import { Picture } from '../shelf/card.tsx';

type Cart = Schemas['Cart'];
type Item = Cart['items'][number];

const MAX_NAME_LENGTH = 60;
/** Choices that a line shows. */
const MAX_CHOICES = 4;

/** Returns an image as lists have it. An uploaded one is made smaller. */
const imageOf = (url: string | null, origin: string) => {
  if (url === null) return undefined;
  const isOwn = url.startsWith(`${origin}/`);
  return { url: isOwn ? `${url}?w=160` : url, alt: null, width: null, height: null };
};

/** What was chosen of the product: "Colour: Red". A booking's times are those of its place. */
export const Choices = ({ of: selected }: { of: Item['selected'] }) => (
  <>
    {selected.slice(0, MAX_CHOICES).map(({ name, value, timezone }) => (
      <p class="soft" dir="auto">
        {clip(titled(name), 40)}: {timezone ? localTimeText(value, timezone) : clip(value, MAX_NAME_LENGTH)}
      </p>
    ))}
  </>
);

/** A line of the cart: its picture and choices, and the form that changes its quantity or removes it. */
export const Line = ({
  request,
  item,
  currency,
  page,
}: {
  request: PageRequest;
  item: Item;
  currency: string;
  page: number;
}) => {
  const [name, here] = [clip(item.name, MAX_NAME_LENGTH), `/demo/cart/items/${item.id}`];
  const after = `?page=${page}`;
  const reduced = item.discounts.reduce((sum, { amount }) => sum + amount, 0);
  return (
    <li class="line">
      <Picture of={imageOf(item.image, new URL(request.c.req.url).origin)} alt="" size={80} />
      <div>
        <h2 dir="auto">
          <a href={`/demo/products/${item.product_id}`}>{name}</a>
        </h2>
        <Choices of={item.selected} />
        {item.quantity > 1 && <p class="soft">{formatMoney(item.unit_price, currency, 'en')} each</p>}
      </div>
      <div>
        <p class="price">{formatMoney(item.total, currency, 'en')}</p>
        {reduced > 0 && <p class="sale">−{formatMoney(reduced, currency, 'en')}</p>}
      </div>
      <Form
        request={request}
        action={here + after}
        submit="Update"
        also={{ action: `${here}/remove${after}`, submit: 'Remove' }}
        about={name}
        quiet
      >
        <label>
          Quantity
          <input
            name="quantity"
            type="number"
            min={0}
            max={MAX_LINE_QUANTITY}
            value={String(item.quantity)}
            required
          />
        </label>
      </Form>
    </li>
  );
};
