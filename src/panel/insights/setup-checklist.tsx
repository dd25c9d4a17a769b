import type { Settings } from '../../tenants/index.ts';
import { mayOpen, type PageRequest, Section } from '../../web/index.ts';

/** What a shop has already. */
export interface Progress {
  readonly products: boolean;
  readonly payments: boolean;
  readonly token: boolean;
  readonly orders: boolean;
}

/** Whether a shop's settings name a payment provider, or a checkout of its own, which takes payments itself. */
export const takesPayments = ({ payments, checkout }: Settings): boolean =>
  payments !== 'none' || Boolean(checkout.external_url);

const STEPS: readonly (readonly [keyof Progress, href: string, label: string, hint: string])[] = [
  ['products', '/developer/products', 'Add a product', 'With a picture, a price and stock.'],
  [
    'payments',
    '/developer/settings/checkout',
    'Set up payments',
    'Stripe, or the sandbox to try everything out.',
  ],
  ['token', '/developer/applications', 'Make a token', 'Your storefront calls the API with it.'],
  ['orders', '/developer/quick-start', 'See the first order', 'The quick start leads to one.'],
];

/** The steps to the first order, for a shop that hasn't had one. */
export const SetupChecklist = ({ request, done }: { request: PageRequest; done: Progress }) => (
  <Section id="setup" title="Set up your shop" card>
    <ol>
      {STEPS.map(([step, href, label, hint]) => (
        <li>
          {mayOpen(request, href) ? <a href={href}>{label}</a> : <b>{label}</b>}{' '}
          <span class={done[step] ? 'state good' : 'state'}>{done[step] ? 'done' : 'to do'}</span>
          <p class="hint">{hint}</p>
        </li>
      ))}
    </ol>
  </Section>
);
