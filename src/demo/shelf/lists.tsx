import type { Schemas } from '../../../client/src/index.ts';
import { htmlToText } from '../../kernel/text/html-text.ts';
import {
  type Answer,
  type FormError,
  getPage,
  type Outcome,
  type Page,
  type PageRequest,
  Pages,
  type View,
} from '../../web/index.ts';
import { attempt } from '../frame/attempt.ts';
import { shopOf } from '../frame/session.ts';
import { shopFrame, trailTo } from '../frame/shop-frame.ts';
import { Cards } from './card.tsx';
import { Filters, SetFilters } from './filters.tsx';
import { apiQuery, attributesOf, type ListQuery, listQuery, listUrl, PAGE_SIZE } from './list-query.ts';

type List = Schemas['ProductList'];
type Category = Schemas['Category'];

const FACETS = 'price,in_stock,vendor,tag';

/** Returns a page of products with facets, those of the products' own options included. */
async function readList(request: PageRequest, query: ListQuery, categoryId?: number): Promise<Answer<List>> {
  const { products } = shopOf(request);
  const within = { ...apiQuery(query), ...(categoryId !== undefined && { category_id: categoryId }) };
  const read = (more: { limit: number; page: number; facets: string }) =>
    attempt(
      query.q ? products.search({ ...within, ...more, q: query.q }) : products.list({ ...within, ...more }),
    );
  const list = await read({ limit: PAGE_SIZE, page: query.page, facets: FACETS });
  if (!list.ok) return list;
  const attributes = attributesOf(query, list.value.data);
  if (attributes.length === 0) return list;
  // Which attributes there are is known from the products alone.
  const more = await read({ limit: 1, page: 1, facets: attributes.join(',') });
  const facets = { ...list.value.meta.facets, ...(more.ok && more.value.meta.facets) };
  return { ok: true, value: { ...list.value, meta: { ...list.value.meta, facets } } };
}

const Nothing = ({ path, query, list }: { path: string; query: ListQuery; list: List }) => {
  const last = list.meta.total_pages;
  if (last > 0) {
    return (
      <p class="empty">
        There is no page {query.page}. <a href={listUrl(path, query, { page: last })}>Go to the last page</a>.
      </p>
    );
  }
  return <p class="empty">{emptyText(query)}</p>;
};

function emptyText({ filters, q }: ListQuery): string {
  if (filters.size > 0) return 'Nothing matches these filters. Remove one to see more.';
  return q ? 'Nothing found. Try other words, or fewer.' : 'There is nothing here yet.';
}

const Categories = ({ of: categories, here }: { of: readonly Category[]; here?: Category | undefined }) =>
  categories.length > 0 ? (
    <nav aria-label="Narrow down" class="pills">
      {categories.map(({ slug, name, product_count: count }) => (
        <a
          href={`/demo/categories/${slug}`}
          aria-current={slug === here?.slug ? 'page' : undefined}
          dir="auto"
        >
          {name} <span class="soft">{count}</span>
        </a>
      ))}
    </nav>
  ) : null;

/** The products of a list beside its filters. */
const Shelf = ({ path, query, list }: { path: string; query: ListQuery; list: List }) => (
  <div class="shelf">
    <Filters path={path} facets={list.meta.facets ?? {}} query={query} />
    <section aria-labelledby="products">
      <h2 id="products" class="hidden">
        Products
      </h2>
      <p class="soft" role="status">
        {list.meta.total} {list.meta.total === 1 ? 'product' : 'products'}
      </p>
      <SetFilters path={path} query={query} />
      {list.data.length > 0 ? (
        <Cards of={list.data} first />
      ) : (
        <Nothing path={path} query={query} list={list} />
      )}
      {list.data.length > 0 && list.meta.total_pages > 1 && (
        <Pages meta={list.meta} href={(page) => listUrl(path, query, { page })} />
      )}
    </section>
  </div>
);

const allProducts = async (request: PageRequest): Promise<View | Outcome> => {
  const query = { ...listQuery(request), q: '' };
  const list = await readList(request, query);
  if (!list.ok) return list;
  const { tree } = await shopFrame(request);
  const body = (
    <>
      <Categories of={tree} />
      <Shelf path="/demo/products" query={query} list={list.value} />
    </>
  );
  return { title: 'All products', trail: [['/demo', 'Home']], body };
};

const searchPage = async (request: PageRequest): Promise<View | Outcome> => {
  const query = listQuery(request);
  if (!query.q) return { to: '/demo/products' };
  const list = await readList(request, query);
  if (!list.ok) return list;
  return {
    title: `Results for “${query.q}”`,
    trail: [['/demo', 'Home']],
    body: <Shelf path="/demo/search" query={query} list={list.value} />,
  };
};

const NOT_FOUND: FormError = {
  message: 'This category was removed, or the address is wrong.',
  errors: {},
  status: 404,
};

/** Returns the redirect to a category that was renamed. */
async function renamed(request: PageRequest, slug: string): Promise<Outcome> {
  const found = await attempt(shopOf(request).categories.getBySlug({ slug }));
  const now = found.ok ? found.value.slug : slug;
  if (now === slug) return { formError: NOT_FOUND };
  return { to: `/demo/categories/${now}${new URL(request.c.req.url).search}`, moved: true };
}

const categoryPage = async (request: PageRequest): Promise<View | Outcome> => {
  const slug = request.param('slug');
  const trail = trailTo(slug, (await shopFrame(request)).tree);
  const here = trail.at(-1);
  if (!here) return renamed(request, slug);
  const query = { ...listQuery(request), q: '' };
  const list = await readList(request, query, here.id);
  if (!list.ok) return list;
  const near = here.children.length > 0 ? here.children : (trail.at(-2)?.children ?? []);
  const description = here.description ? htmlToText(here.description) : '';
  const body = (
    <>
      <h1 dir="auto">{here.name}</h1>
      {description && (
        <p class="lead" dir="auto">
          {description}
        </p>
      )}
      <Categories of={near} here={here} />
      <Shelf path={`/demo/categories/${slug}`} query={query} list={list.value} />
    </>
  );
  const above = trail.slice(0, -1).map((one) => [`/demo/categories/${one.slug}`, one.name] as const);
  return {
    title: here.seo?.title || here.name,
    trail: [['/demo', 'Home'], ...above],
    description: here.seo?.description || description,
    image: here.seo?.og_image || here.image_url || undefined,
    ownHeading: true,
    body,
  };
};

const at = (path: string) => ({ path: `/demo${path}`, audience: 'anyone' }) as const;

/** The lists of products: all, those of a category, and those of a search. */
export const listPages: readonly Page[] = [
  getPage(at('/products'), allProducts),
  getPage(at('/categories/:slug'), categoryPage),
  getPage(at('/search'), searchPage),
];
