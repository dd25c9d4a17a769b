import { z } from 'zod';
import { FeedPreview, FeedProblemList, ProductFeed, ProductFeedList, renewFeed } from '../../feed/index.ts';
import {
  ActionLink,
  type Answer,
  allAnswers,
  asFormError,
  Choice,
  clip,
  Form,
  type FormError,
  formPages,
  getPage,
  type Outcome,
  type Page,
  type PageRequest,
  postOnce,
  Secret,
  Section,
  Table,
  When,
} from '../../web/index.ts';
import { confirmPages, deleteAt, type Question } from '../confirm.tsx';
import { Thumbnail } from '../pictures.tsx';
import { tenantDatabase } from '../tenant-database.ts';
import { SETTINGS_PATH } from './settings/tabs.tsx';

const FEEDS_PATH = '/developer/feeds';
const UNKNOWN = asFormError('Product feed not found.', 404);
const FORMATS = [
  ['xml', 'XML: RSS 2.0, for Google Merchant Center'],
  ['csv', 'CSV'],
  ['jsonl', 'JSON Lines'],
] as const;

/** Where the feeds' links lead, or a warning that nothing is set. */
const ProductPages = ({ url }: { readonly url: string | null }) =>
  url === null ? (
    <p class="note warn">
      Feeds are empty until you set the <a href={SETTINGS_PATH}>address of a product in your shop</a>.
    </p>
  ) : (
    <p class="hint">
      Links lead to {clip(url, 200)}. <a href={SETTINGS_PATH}>Change it</a>
    </p>
  );

const listPage = async (request: PageRequest, formError: FormError | null) => {
  const [{ tenant }, feeds] = await Promise.all([
    request.developer(),
    request.api({ path: '/v1/feeds', answer: ProductFeedList }),
  ]);
  if (!feeds.ok) return feeds;
  const f = { request, formError };
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
      <ProductPages url={tenant.settings.feeds?.product_url ?? null} />
      <Section id="create" title="New feed">
        <Form request={request} action={FEEDS_PATH} submit="Create feed">
          <Choice f={f} name="format" label="Format" options={FORMATS} value="xml" />
        </Form>
      </Section>
    </>
  );
  return { title: 'Product feeds', body };
};

const apiPath = (request: PageRequest): string => `/v1/feeds/${encodeURIComponent(request.param('id'))}`;

const onePage = async (request: PageRequest) => {
  const cursor = request.query('cursor');
  const after = cursor ? `&cursor=${encodeURIComponent(cursor)}` : '';
  const [{ tenant }, read, preview] = await Promise.all([
    request.developer(),
    allAnswers({
      feed: loadFeed(request),
      problems: request.api({
        path: `${apiPath(request)}/problems?limit=20${after}`,
        answer: FeedProblemList,
      }),
    }),
    request.api({ path: `${apiPath(request)}/preview`, answer: FeedPreview }),
  ]);
  if (!read.ok) return read;
  const { feed, problems } = read.value;
  const here = `${FEEDS_PATH}/${feed.id}`;
  const { next_cursor: next } = problems.meta;
  const body = (
    <>
      <Secret
        label="Address"
        value={feed.url}
        hint="Anyone with this address can read the file until you give it a new address or delete it."
      />
      <div class="actions">
        <a class="button secondary" href={feed.url}>
          Open the file
        </a>
        <ActionLink request={request} href={`${here}/new-address`} class="button secondary">
          New address
        </ActionLink>
        <ActionLink request={request} href={`${here}/delete`} class="button quiet danger">
          Delete feed
        </ActionLink>
      </div>
      <ProductPages url={tenant.settings.feeds?.product_url ?? null} />
      {preview.ok && <Preview of={preview.value.data} />}
      <h2>Left out</h2>
      <Problems of={problems.data} more={next !== null} />
      {next === null ? null : (
        <p>
          <a href={`${here}?cursor=${encodeURIComponent(next)}`}>Continue the list</a>
        </p>
      )}
    </>
  );
  return { title: `Product feed (${feed.format})`, trail: [[FEEDS_PATH, 'Product feeds']] as const, body };
};

/** Returns an attribute as text; of several values the first. */
const textOf = (value: string | readonly string[] | undefined): string =>
  (typeof value === 'string' ? value : value?.[0]) ?? '';

/** The first items of the file as a buyer would meet them elsewhere. */
const Preview = ({ of }: { of: z.output<typeof FeedPreview>['data'] }) => (
  <>
    <h2>Preview</h2>
    <Table
      label="First items of the file"
      head={['Item', 'Price', 'Availability', 'Link']}
      rows={of.map(({ product_id, item }) => [
        <span class="with-picture">
          <Thumbnail url={textOf(item.image_link)} />
          <a href={`/developer/products/${product_id}`}>{clip(textOf(item.title), 60)}</a>
        </span>,
        item.sale_price === undefined
          ? textOf(item.price)
          : `${textOf(item.sale_price)} instead of ${textOf(item.price)}`,
        textOf(item.availability).replaceAll('_', ' '),
        <a href={textOf(item.link)}>{clip(textOf(item.link), 60)}</a>,
      ])}
      empty={<p>The file has no items yet.</p>}
    />
  </>
);

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
async function create(request: PageRequest, body: z.output<typeof NewFeed>): Promise<Outcome> {
  const made = await postOnce(request, { path: '/v1/feeds', body, answer: ProductFeed });
  return made.ok ? { to: `${FEEDS_PATH}/${made.value.id}`, note: 'created' } : made;
}

async function loadFeed(request: PageRequest): Promise<Answer<z.output<typeof ProductFeed>>> {
  const feeds = await request.api({ path: '/v1/feeds', answer: ProductFeedList });
  if (!feeds.ok) return feeds;
  const feed = feeds.value.data.find(({ id }) => id === request.param('id'));
  return feed ? { ok: true, value: feed } : { ok: false, ...UNKNOWN };
}

const remove = (request: PageRequest): Promise<Outcome> => deleteAt(request, apiPath(request), FEEDS_PATH);

/** Gives the request's feed a new address, recorded in the audit log. */
async function renew(request: PageRequest): Promise<Outcome> {
  const id = request.param('id');
  const change = await request.audited({
    action: 'renewProductFeed',
    subject: { kind: 'feeds', id, name: null },
  });
  const { env } = change;
  const renewed = await renewFeed({ env, ...tenantDatabase({ env, tenant: request.tenant }) }, id);
  // A form that was sent again leads to where the first one led.
  if (!renewed.ok || renewed.value.repeated) await change.discard();
  return renewed.ok ? { to: `${FEEDS_PATH}/${renewed.value.feed.id}`, note: 'created' } : UNKNOWN;
}

const about = (words: Pick<Question, 'title' | 'body' | 'submit'>) => async (request: PageRequest) => {
  const feed = await loadFeed(request);
  if (!feed.ok) return feed;
  const here = `${FEEDS_PATH}/${feed.value.id}`;
  const trail = [[FEEDS_PATH, 'Product feeds'] as const];
  return { ...words, trail, keep: [here, 'Keep the feed as it is'] as const };
};

const renewal = about({
  title: 'Give this feed a new address?',
  body: (
    <p>
      The old address stops working at once. Services that fetch the file need the new one, which is shown
      next.
    </p>
  ),
  submit: 'Make a new address',
});

const deletion = about({
  title: 'Delete this feed?',
  body: <p>Its address stops working at once. Services that fetch the file get an error.</p>,
  submit: 'Delete feed',
});

const at = (path: string) => ({ path: `${FEEDS_PATH}${path}` as const, audience: 'developer' }) as const;

/** The pages that create and delete product feeds, and show what they leave out. */
export const feedPages: readonly Page[] = [
  ...formPages({ ...at(''), form: NewFeed }, listPage, create),
  getPage(at('/:id'), onePage),
  ...confirmPages(at('/:id/new-address'), renewal, renew),
  ...confirmPages(at('/:id/delete'), deletion, remove),
];
