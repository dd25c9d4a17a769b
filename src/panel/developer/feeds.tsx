import { z } from 'zod';
import { FeedProblemList, ProductFeed, ProductFeedList } from '../../feed/index.ts';
import {
  asTrouble,
  Choice,
  clip,
  Field,
  type Filled,
  Form,
  type FormError,
  form,
  getPage,
  type Outcome,
  optionalText,
  type Page,
  type PageRequest,
  Secret,
  Table,
  When,
} from '../../web/index.ts';

const FEEDS_PATH = '/developer/feeds';
/** Not below the list: there, it would be a feed's page. */
const PRODUCT_URL_PATH = '/developer/product-url';
const FORMATS = [
  ['xml', 'XML: RSS 2.0, for Google Merchant Center'],
  ['csv', 'CSV'],
  ['jsonl', 'JSON Lines'],
] as const;

/** The form for the address of the shop's product pages. */
const ProductPages = ({ f, url }: { readonly f: Filled; readonly url: string }) => (
  <section aria-labelledby="pages">
    <h2 id="pages">Product pages</h2>
    <Form request={f.request} action={PRODUCT_URL_PATH} submit="Save">
      <Field
        f={f}
        name="feeds.product_url"
        label="Address of a product in your shop"
        value={url}
        hint="Such as https://shop.example.com/p/{slug}?variant={variant_id}. Without it, feeds are empty"
        attributes={{ maxlength: 1000 }}
      />
    </Form>
  </section>
);

const listPage = async (request: PageRequest, formError: FormError | null) => {
  const [{ tenant }, feeds] = await Promise.all([
    request.developer(),
    request.api({ path: '/v1/feeds', answer: ProductFeedList }),
  ]);
  if (!feeds.ok) return feeds;
  const f = { request, trouble: formError };
  const body = (
    <>
      <p class="lead">Files with all products on sale, which other services fetch by a signed address.</p>
      <Table
        label="Product feeds"
        head={['Feed', 'Format', 'Created']}
        rows={feeds.value.data.map(({ id, format, created_at }) => [
          <a href={`${FEEDS_PATH}/${id}`}>{id}</a>,
          format,
          <When at={created_at} />,
        ])}
        empty={<p>No product feeds yet.</p>}
      />
      <div class="beside">
        <section aria-labelledby="create">
          <h2 id="create">New feed</h2>
          <Form request={request} action={FEEDS_PATH} submit="Create feed">
            <Choice f={f} name="format" label="Format" options={FORMATS} value="xml" />
          </Form>
        </section>
        <ProductPages f={f} url={tenant.settings.feeds?.product_url ?? ''} />
      </div>
    </>
  );
  return { title: 'Product feeds', body };
};

/** Returns the API's path of the request's feed. */
const apiPath = (request: PageRequest): string => `/v1/feeds/${encodeURIComponent(request.param('id'))}`;

const onePage = async (request: PageRequest, _error: FormError | null = null) => {
  const cursor = request.query('cursor');
  const after = cursor ? `&cursor=${encodeURIComponent(cursor)}` : '';
  const [feeds, problems] = await Promise.all([
    request.api({ path: '/v1/feeds', answer: ProductFeedList }),
    request.api({ path: `${apiPath(request)}/problems?limit=20${after}`, answer: FeedProblemList }),
  ]);
  if (!feeds.ok) return feeds;
  if (!problems.ok) return problems;
  const feed = feeds.value.data.find(({ id }) => id === request.param('id'));
  if (!feed) return asTrouble('Product feed not found.', 404);
  const here = `${FEEDS_PATH}/${feed.id}`;
  const { next_cursor: next } = problems.value.meta;
  const body = (
    <>
      <Secret
        label="Address"
        value={feed.url}
        hint="Whoever has it can read the file until the feed is deleted."
      />
      <h2>Left out</h2>
      <Problems of={problems.value.data} more={next !== null} />
      {next === null ? null : (
        <p>
          <a href={`${here}?cursor=${encodeURIComponent(next)}`}>Continue the list</a>
        </p>
      )}
      <Form request={request} action={`${here}/delete`} submit="Delete feed" quiet danger />
    </>
  );
  return { title: `Product feed (${feed.format})`, trail: [[FEEDS_PATH, 'Product feeds']] as const, body };
};

const Problems = ({ of, more }: { of: z.output<typeof FeedProblemList>['data']; more: boolean }) => (
  <Table
    label="Products that the feed leaves out"
    head={['Product', 'SKU', 'Why']}
    rows={of.map(({ product_id, name, sku, problems }) => [
      <a href={`/developer/products/${product_id}`}>{clip(name, 60)}</a>,
      clip(sku, 40),
      problems.map(({ attribute, reason }) => `${attribute}: ${reason}`).join(' '),
    ])}
    empty={<p>{more ? 'None in this part of the catalogue.' : 'No product is left out.'}</p>}
  />
);

const NewFeed = z.object({ format: z.string() });
const ProductUrl = z.object({ 'feeds.product_url': optionalText });

async function create(request: PageRequest, body: z.output<typeof NewFeed>): Promise<Outcome> {
  const once = request.sent._once?.[0];
  const made = await request.api({ method: 'POST', path: '/v1/feeds', body, answer: ProductFeed, once });
  return made.ok ? { to: `${FEEDS_PATH}/${made.value.id}`, note: 'created' } : made;
}

async function setProductUrl(request: PageRequest, input: z.output<typeof ProductUrl>): Promise<Outcome> {
  const body = { feeds: { product_url: input['feeds.product_url'] } };
  const changed = await request.api({ method: 'PATCH', path: '/v1/settings', body });
  return changed.ok ? { to: FEEDS_PATH, note: 'saved' } : changed;
}

async function remove(request: PageRequest): Promise<Outcome> {
  const removed = await request.api({ method: 'DELETE', path: apiPath(request) });
  return removed.ok ? { to: FEEDS_PATH, note: 'removed' } : removed;
}

const at = (path: string) => ({ path: `${FEEDS_PATH}${path}` as const, audience: 'developer' }) as const;

/** The pages that create and delete product feeds, and show what they leave out. */
export const feedPages: readonly Page[] = [
  getPage(at(''), listPage),
  form({ ...at(''), form: NewFeed }, listPage, create),
  form({ path: PRODUCT_URL_PATH, audience: 'developer', form: ProductUrl }, listPage, setProductUrl),
  getPage(at('/:id'), onePage),
  form({ ...at('/:id/delete'), form: z.object({}) }, onePage, remove),
];
