import type { FormError, Outcome, PageRequest } from '../../web/index.ts';
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

/** Returns the way to the sign-in page for a browser without a session; null for one that has it. */
export const signInFirst = (request: PageRequest): Outcome | null =>
  shopOf(request).session.customerToken ? null : { to: `${ROOT}/login` };

/** Returns what a failed call of a customer ends with: the sign-in page if the session has ended, else the error. */
export const refused = (formError: FormError): Outcome =>
  formError.code === 'invalid_customer_token'
    ? { to: `${ROOT}/login`, note: 'session_ended' }
    : { formError };
