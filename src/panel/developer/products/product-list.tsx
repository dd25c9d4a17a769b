import { ProductList } from '../../../catalog/index.ts';
import { formatMoney } from '../../../kernel/core/money.ts';
import { clip, type PageRequest, Pages, pageParam, State, Table } from '../../../web/index.ts';

const root = '/developer/products';

const Search = ({ q, status }: { q: string; status: string }) => (
  <search>
    <form class="search" action={root}>
      <input
        name="q"
        type="search"
        value={q}
        aria-label="Name, SKU or slug"
        placeholder="Name, SKU or slug"
        maxlength={100}
      />
      <select name="status" aria-label="Status">
        {['all', 'active', 'inactive'].map((name) => (
          <option value={name} selected={name === status}>
            {name}
          </option>
        ))}
      </select>
      <button type="submit">Search</button>
    </form>
  </search>
);

/** The list of products, with a search. */
export const listPage = async (request: PageRequest) => {
  const q = request.query('q');
  const status = request.query('status') || 'all';
  const search = new URLSearchParams({ status, ...(q ? { q } : {}) });
  const page = pageParam(request);
  const answer = await request.api({
    path: `/v1/products?page=${page}&${search}`,
    answer: ProductList,
  });
  if (!answer.ok) return answer;
  const { data, meta } = answer.value;
  const rows = data.map((product) => [
    <a href={`${root}/${product.id}`}>{clip(product.name)}</a>,
    clip(product.sku, 40),
    product.type,
    formatMoney(product.price, product.currency),
    product.stock > 0 ? product.stock : <b class="error">{product.stock}</b>,
    <State is={product.status} />,
  ]);
  const body = (
    <>
      <Search q={q} status={status} />
      <Table
        label="Products"
        head={['Name', 'SKU', 'Type', 'Price', 'Stock', 'Status']}
        figures={[3, 4]}
        rows={rows}
        empty={q || status !== 'all' ? <NoneFound /> : <None />}
      />
      <Pages meta={meta} href={(to) => `${root}?${search}&page=${to}`} />
    </>
  );
  return { title: 'Products', body, action: ['/developer/imports', 'Import a CSV'] as const };
};

const NoneFound = () => (
  <p>
    No products found. <a href={root}>Show all products</a>
  </p>
);

const None = () => (
  <p>
    No products yet. <a href="/developer/imports">Import a CSV</a>, or create products with{' '}
    <a href="/docs/">the API</a>.
  </p>
);
