import type { z } from 'zod';
import { ProductList, type ProductListItem } from '../../../../catalog/index.ts';
import { formatMoney } from '../../../../kernel/values/money.ts';
import {
  clip,
  type Outcome,
  type PageRequest,
  Part,
  pageParam,
  State,
  Table,
  type View,
} from '../../../../web/index.ts';
import { downloadCsv, MAX_EXPORTED, MAX_PAGES } from '../../../csv-download.tsx';
import { loadCategories } from '../../../pickers/category-picker.tsx';
import { Thumbnail } from '../../../pictures.tsx';
import {
  type Filters,
  filteredList,
  filteredPages,
  filteredPath,
  NoneFound,
  Selectable,
} from '../../../search-form.tsx';
import { root, TYPES } from '../product.tsx';
import { apiQuery, FilterForm, filtersOf } from './filters.tsx';

/** Products on one page: the page stays within its size also with long names. */
const PAGE_SIZE = 12;

/** The list of products: searched, filtered and sorted, with the products that are ticked to be changed together. */
export async function listPage(request: PageRequest): Promise<View | Outcome> {
  const filters = filtersOf(request);
  const query = `page=${pageParam(request)}&limit=${PAGE_SIZE}&${apiQuery(filters)}`;
  const [answer, categories] = await Promise.all([
    request.api({ path: `/v1/products?${query}`, answer: ProductList }),
    loadCategories(request),
  ]);
  if (!categories.ok) return categories;
  return filteredList({
    title: 'Products',
    actions: [
      [EXPORT_PATH, 'Export'],
      ['/developer/imports', 'Import'],
    ],
    action: [`${root}/new`, 'New product'],
    answer,
    above: (formError) => (
      <>
        <Part name="products" />
        <FilterForm filters={filters} categories={categories.value} formError={formError} />
      </>
    ),
    list: (products) => (
      <>
        <Selectable
          action={BULK_PATH}
          selectable={request.may('post', BULK_PATH) && products.data.length > 0}
          list={<Listed request={request} filters={filters} products={products} />}
          more={<ChangeAll filters={filters} total={products.meta.total} />}
        />
        {products.meta.total > MAX_EXPORTED && <ExportLimit />}
      </>
    ),
  });
}

interface ListedProps {
  readonly request: PageRequest;
  readonly filters: Filters;
  readonly products: z.output<typeof ProductList>;
}

/** The products of a page, each with a checkbox for those who may change products. */
const Listed = ({ request, filters, products: { data, meta } }: ListedProps) => {
  const mayChange = request.may('post', BULK_PATH);
  return (
    <Table
      label="Products"
      head={[...(mayChange ? ['Select'] : []), 'Product', 'SKU', 'Type', 'Price', 'Stock', 'Status']}
      figures={mayChange ? [4, 5] : [3, 4]}
      rows={data.map((product) => cellsOf(product, mayChange))}
      empty={
        <NoneFound filters={filters} things="products" all={root}>
          <None request={request} />
        </NoneFound>
      }
      pages={filteredPages(root, filters, meta)}
    />
  );
};

/** Says where the exported file ends. */
const ExportLimit = () => (
  <p class="hint">
    Export has the {MAX_EXPORTED} oldest products at most. The API exports all: GET /v1/exports/products.
  </p>
);

/** The link to the page that changes all products that are found. */
const ChangeAll = ({ filters, total }: { filters: Filters; total: number }) => (
  <a class="button quiet" href={filteredPath(BULK_PATH, { ...filters, all: 'yes' })}>
    {total === 1 ? 'Change this product' : `Change all ${total}`}
  </a>
);

/** The address of the catalogue as a file, in the format that an import reads. */
export const EXPORT_PATH = '/developer/exports/products';

/** Sends the catalogue as a CSV file. */
export const exportProducts = (request: PageRequest): Promise<Outcome> =>
  downloadCsv(request, { path: '/v1/exports/products', filename: 'products.csv', maxPages: MAX_PAGES });

/** The page that changes several products. */
export const BULK_PATH = `${root}/bulk`;

function cellsOf(product: ProductListItem, mayChange: boolean) {
  const { id, name, sku, type, price, currency, image, status } = product;
  const tick = <input type="checkbox" name="ids" value={id} aria-label={`Choose ${clip(name, 24)}`} />;
  return [
    ...(mayChange ? [tick] : []),
    <span class="product">
      {image ? <Thumbnail url={image} /> : <span class="thumb" />}
      <a href={`${root}/${id}`}>{clip(name, 50)}</a>
    </span>,
    clip(sku, 24),
    TYPES[type][0],
    formatMoney(price, currency),
    <Stock of={product} />,
    <State is={status} />,
  ];
}

/** The stock of a product: a number, or in words what isn't counted or can be ordered without any. */
const Stock = ({ of: { type, stock, in_stock } }: { of: ProductListItem }) => {
  if (type === 'downloadable' || (in_stock && stock === 0)) return <span class="hint">unlimited</span>;
  return stock > 0 ? stock : <State is="sold_out" />;
};

const None = ({ request }: { request: PageRequest }) => (
  <p>
    No products yet.{' '}
    {request.may('get', `${root}/new`) && (
      <>
        <a href={`${root}/new`}>Create the first one</a>, or <a href="/developer/imports">import a CSV</a>.
      </>
    )}
  </p>
);
