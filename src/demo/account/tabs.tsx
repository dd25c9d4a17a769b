import { type FormError, type Outcome, type PageRequest, safePath } from '../../web/index.ts';
import { shopOf } from '../frame/session.ts';

/** Where the account's pages are. */
export const ROOT = '/demo/account';

const TABS = [
  [ROOT, 'Orders'],
  [`${ROOT}/addresses`, 'Addresses'],
] as const;

/** The parts of the account. */
export const Tabs = ({ request }: { request: PageRequest }) => (
  <nav aria-label="Account" class="tabs">
    <ul>
      {TABS.map(([href, label]) => (
        <li>
          <a href={href} aria-current={request.c.req.path === href ? 'page' : undefined}>
            {label}
          </a>
        </li>
      ))}
    </ul>
  </nav>
);

/** Returns the path of a page that signs in or registers, and then leads back to a path of the shop. */
export const entryPath = (page: 'login' | 'register', next: string): string =>
  next === ROOT ? `${ROOT}/${page}` : `${ROOT}/${page}?next=${encodeURIComponent(next)}`;

/** Returns the path of the shop that a sign-in leads back to: by default the account. */
export function nextPath(request: PageRequest): string {
  const next = safePath(request.query('next'), 'demo');
  return next === '/demo' ? ROOT : next;
}

/** Returns the way to the sign-in page and back to this page. A form can't be led back to: it is no page. */
function signIn({ c: { req } }: PageRequest, note?: 'session_ended'): Outcome {
  const { pathname, search } = new URL(req.url);
  const to = entryPath('login', req.method === 'POST' ? ROOT : pathname + search);
  return note ? { to, note } : { to };
}

/** Returns the way to the sign-in page for a browser without a session; null for one that has it. */
export const signInFirst = (request: PageRequest): Outcome | null =>
  shopOf(request).session.customerToken ? null : signIn(request);

/** Returns what a failed call of a customer ends with: the sign-in page if the session has ended, else the error. */
export const refused = (request: PageRequest, formError: FormError): Outcome =>
  formError.code === 'invalid_customer_token' ? signIn(request, 'session_ended') : { formError };
