import { z } from 'zod';
import { CouponAnswer, CouponList } from '../../promotions/index.ts';
import {
  Area,
  amounts,
  Choice,
  clip,
  Field,
  type Filled,
  Form,
  type FormError,
  form,
  getPage,
  Instant,
  numbers,
  type Outcome,
  optional,
  optionalInstant,
  type Page,
  type PageRequest,
  Pages,
  pageParam,
  Table,
  When,
  wholeNumber,
  writeAmounts,
} from '../../web/index.ts';
import { confirmPages } from '../confirm.tsx';

type Coupon = z.output<typeof CouponAnswer>;

const root = '/developer/coupons';
const KINDS = [
  ['percent', 'Percentage of the goods'],
  ['fixed', 'Fixed amount'],
  ['free_shipping', 'Free shipping'],
] as const;

const discountText = ({ kind, value }: Coupon): string =>
  kind === 'free_shipping'
    ? 'free shipping'
    : `${writeAmounts(value).replaceAll('\n', ', ')}${kind === 'percent' ? ' %' : ''}`;

const one = (request: PageRequest): string => `/v1/coupons/${encodeURIComponent(request.param('id'))}`;

const listPage = async (request: PageRequest) => {
  const page = pageParam(request);
  const answer = await request.api({ path: `/v1/coupons?page=${page}`, answer: CouponList });
  if (!answer.ok) return answer;
  const { data, meta } = answer.value;
  const rows = data.map((coupon) => [
    <a href={`${root}/${coupon.id}`}>{coupon.code}</a>,
    clip(discountText(coupon)),
    `${coupon.uses}${coupon.max_uses === null ? '' : ` of ${coupon.max_uses}`}`,
    coupon.ends_at ? <When at={coupon.ends_at} /> : 'never',
  ]);
  const body = (
    <>
      <Table
        label="Coupons"
        head={['Code', 'Discount', 'Used', 'Ends']}
        rows={rows}
        empty={
          <p>
            No coupons yet. <a href="/developer/new-coupon">Create the first one</a>: a percentage, a fixed
            amount or free shipping.
          </p>
        }
      />
      <Pages meta={meta} href={(to) => `${root}?page=${to}`} />
    </>
  );
  return { title: 'Coupons', body, action: ['/developer/new-coupon', 'New coupon'] as const };
};

interface Known {
  readonly f: Filled;
  /** Null for a new coupon. */
  readonly known: Coupon | null;
}

/** The fields for validity period and maximum uses. */
const Limits = ({ f, known }: Known) => (
  <>
    <div class="pair">
      {(['starts_at', 'ends_at'] as const).map((name) => (
        <Instant
          f={f}
          name={name}
          label={name === 'starts_at' ? 'Starts (UTC)' : 'Ends (UTC)'}
          value={known?.[name] ?? null}
        />
      ))}
    </div>
    <div class="pair">
      <Field
        f={f}
        name="max_uses"
        label="Maximum uses in total"
        type="number"
        value={known?.max_uses ?? null}
      />
      <Field
        f={f}
        name="max_uses_per_customer"
        label="Maximum uses per customer"
        type="number"
        value={known?.max_uses_per_customer ?? null}
      />
    </div>
  </>
);

/** The fields that restrict a coupon to products and categories. */
const Only = ({ f, known }: Known) => (
  <>
    <Field
      f={f}
      name="product_ids"
      label="Only these products"
      value={known?.product_ids.join(', ') ?? ''}
      hint="Product ids, separated by commas. Leave empty for all products"
    />
    <Field
      f={f}
      name="category_ids"
      label="Only these categories"
      value={known?.category_ids.join(', ') ?? ''}
      hint="Category ids, separated by commas. Subcategories are included"
    />
  </>
);

const Fields = ({ f, known }: Known) => (
  <>
    <Field f={f} name="code" label="Code" value={known?.code ?? ''} required attributes={{ maxlength: 64 }} />
    <Choice f={f} name="kind" label="Kind" options={KINDS} value={known?.kind ?? 'percent'} />
    <Area
      f={f}
      name="value"
      label="Value"
      value={known ? writeAmounts(known.value) : ''}
      hint="A percentage or an amount. For several currencies, one per line, such as EUR 5. Leave empty for free shipping"
    />
    <Area
      f={f}
      name="minimum_subtotal"
      label="Minimum subtotal"
      value={writeAmounts(known?.minimum_subtotal ?? null)}
      hint="An amount, in the same format. Leave empty for no minimum"
    />
    <Limits f={f} known={known} />
    <Only f={f} known={known} />
  </>
);

const CouponForm = z.object({
  code: z.string(),
  kind: z.string(),
  value: optional(amounts),
  minimum_subtotal: optional(amounts),
  starts_at: optionalInstant,
  ends_at: optionalInstant,
  max_uses: optional(wholeNumber),
  max_uses_per_customer: optional(wholeNumber),
  product_ids: numbers,
  category_ids: numbers,
});

/** Converts a form to an API body: an empty value is 0, an empty list of ids means no restriction. */
const bodyOf = (input: z.output<typeof CouponForm>) => ({
  ...input,
  value: input.value ?? 0,
  product_ids: input.product_ids.length > 0 ? input.product_ids : null,
  category_ids: input.category_ids.length > 0 ? input.category_ids : null,
});

const trail = [[root, 'Coupons']] as const;

const newPage = async (request: PageRequest, formError: FormError | null) => ({
  title: 'New coupon',
  trail,
  body: (
    <Form request={request} action="/developer/new-coupon" submit="Create coupon">
      <Fields f={{ request, trouble: formError }} known={null} />
    </Form>
  ),
});

async function create(request: PageRequest, input: z.output<typeof CouponForm>): Promise<Outcome> {
  const once = request.sent._once?.[0];
  const made = await request.api({ method: 'POST', path: '/v1/coupons', body: bodyOf(input), once });
  return made.ok ? { to: root, note: 'created' } : made;
}

const onePage = async (request: PageRequest, formError: FormError | null) => {
  const answer = await request.api({ path: one(request), answer: CouponAnswer });
  if (!answer.ok) return answer;
  const coupon = answer.value;
  const here = `${root}/${coupon.id}`;
  const body = (
    <>
      <Form request={request} action={here} submit="Save">
        <Fields f={{ request, trouble: formError }} known={coupon} />
      </Form>
      <h2>Delete</h2>
      <p>
        <a href={`${here}/delete`}>Delete this coupon</a>
      </p>
    </>
  );
  return { title: coupon.code, trail, body };
};

async function change(request: PageRequest, input: z.output<typeof CouponForm>): Promise<Outcome> {
  const changed = await request.api({ method: 'PATCH', path: one(request), body: bodyOf(input) });
  return changed.ok ? { to: request.c.req.path, note: 'saved' } : changed;
}

const removal = async (request: PageRequest) => {
  const answer = await request.api({ path: one(request), answer: CouponAnswer });
  if (!answer.ok) return answer;
  const { id, code, uses } = answer.value;
  return {
    title: `Delete the coupon ${code}?`,
    trail,
    body: (
      <p>It was used {uses} times. Open carts lose it at once; orders that used it keep their discount.</p>
    ),
    submit: 'Delete coupon',
    keep: [`${root}/${id}`, 'Keep the coupon'] as const,
  };
};

async function remove(request: PageRequest): Promise<Outcome> {
  const removed = await request.api({ method: 'DELETE', path: one(request) });
  return removed.ok ? { to: root, note: 'removed' } : removed;
}

const at = (path: string) => ({ path: `/developer${path}`, audience: 'developer' }) as const;

/** The pages that list, create, change and delete coupons. */
export const couponPages: readonly Page[] = [
  getPage(at('/coupons'), listPage),
  getPage(at('/new-coupon'), newPage),
  form({ ...at('/new-coupon'), form: CouponForm }, newPage, create),
  getPage(at('/coupons/:id'), onePage),
  form({ ...at('/coupons/:id'), form: CouponForm }, onePage, change),
  ...confirmPages(at('/coupons/:id/delete'), removal, remove),
];
