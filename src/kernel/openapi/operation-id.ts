import type { EndpointSpec } from '../http/endpoint.ts';
import { capitalized } from '../text/text.ts';

const COLLECTION_VERBS = {
  get: 'list',
  post: 'create',
  put: 'set',
  patch: 'update',
  delete: 'delete',
} as const;
const ITEM_VERBS = { ...COLLECTION_VERBS, get: 'get' } as const;

/**
 * Returns the operation id of an endpoint: its own, or one by the REST convention.
 * `GET /v1/products/{id}` → `getProduct`, `POST /v1/orders/{id}/cancel` → `cancelOrder`.
 */
export function operationIdOf({ id, method, path }: Pick<EndpointSpec, 'id' | 'method' | 'path'>): string {
  if (id) return id;
  const segments = path.replace(/^(\/admin)?\/v1\//, '').split('/');
  const names = segments.filter((segment) => !isParameter(segment)).map(pascal);
  const last = names.pop() ?? '';
  const parents = names.map(singular).join('');
  if (isParameter(segments.at(-1))) return ITEM_VERBS[method] + parents + singular(last);
  const isAction = method === 'post' && isParameter(segments.at(-2)) && singular(last) === last;
  if (isAction) return last.charAt(0).toLowerCase() + last.slice(1) + parents;
  return COLLECTION_VERBS[method] + parents + (method === 'get' ? last : singular(last));
}

const isParameter = (segment = ''): boolean => segment.startsWith('{');

const pascal = (segment: string): string => segment.split('-').map(capitalized).join('');

const singular = (name: string): string => name.replace(/ies$/, 'y').replace(/(?<=[^s])s$/, '');
