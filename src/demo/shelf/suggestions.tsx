import { formatMoney } from '../../../client/src/index.ts';
import { clip, getPage, type Page, type PageRequest } from '../../web/index.ts';
import { attempt } from '../frame/attempt.ts';
import { fragment } from '../frame/document.tsx';
import { shopOf } from '../frame/session.ts';
import { Picture } from './card.tsx';

const MAX_SUGGESTIONS = 6;

/** Products for what is typed in the search field so far, and a link to all results. */
const suggestions = async (request: PageRequest) => {
  const q = request.query('q').trim();
  const found = q ? await attempt(shopOf(request).products.search({ q, limit: MAX_SUGGESTIONS })) : null;
  if (found && !found.ok) return found;
  const { data = [], meta } = found?.value ?? {};
  const body = (
    <>
      <p class="hidden">
        {data.length} {data.length === 1 ? 'suggestion' : 'suggestions'}
      </p>
      <ul>
        {data.map((product) => (
          <li>
            <a href={`/demo/products/${product.id}`}>
              <Picture of={product.media[0]} alt="" size={80} eager />
              <span dir="auto">{clip(product.name, 60)}</span>
              <span class="soft">{formatMoney(product.price_range.min, product.currency, 'en')}</span>
            </a>
          </li>
        ))}
        {meta && meta.total > data.length && (
          <li>
            <a href={`/demo/search?q=${encodeURIComponent(q)}`}>All {meta.total} results</a>
          </li>
        )}
      </ul>
    </>
  );
  return { title: 'Suggestions', body, document: fragment };
};

/** The suggestions of the search field, which its script loads. */
export const suggestionPage: Page = getPage({ path: '/demo/suggestions', audience: 'anyone' }, suggestions);
