import type { Child } from 'hono/jsx';
import { ProductList } from '../../catalog/index.ts';
import type { Scope } from '../../kernel/core/scopes.ts';
import { includesWebhooks, type TenantRow } from '../../tenants/index.ts';
import {
  ActionLink,
  allAnswers,
  clip,
  getPage,
  mayOpen,
  type Page,
  type PageRequest,
  Part,
} from '../../web/index.ts';
import { FilterSelect, ListFilters } from '../search-form.tsx';
import { type App, applicationsOf } from './applications-of.ts';
import { takesPayments } from './setup-checklist.tsx';
import { quickStartSteps, type Step, type TokenName, variableOf } from './snippets.ts';

const HERE = '/developer/quick-start';
/** The most applications to choose from. */
const MAX_CHOICES = 50;

const SELLING: readonly Scope[] = ['catalog:read', 'cart:write', 'checkout:write'];
const REGISTERING: readonly Scope[] = ['webhooks:write', 'orders:read'];

const may = (scopes: readonly Scope[]) => (app: App) =>
  app.status === 'active' && scopes.every((scope) => app.scopes.includes(scope));

/** A name for a comment of a snippet: one line. */
const tokenName = (app: App): TokenName => ({
  name: clip(app.name.replace(/\s+/g, ' '), 40),
  variable: variableOf(app),
});

/** A snippet that can be scrolled by keyboard, with a copy button. */
const Snippet = ({ id, label, text }: { id: string; label: string; text: string }) => (
  <figure class="code">
    <Part name="code" />
    <Part name="copy" />
    <figcaption>{label}</figcaption>
    <button type="button" class="quiet" data-copy={id} aria-label={`Copy ${label}`} hidden>
      Copy
    </button>
    <pre id={id} tabindex={0}>
      {text}
    </pre>
  </figure>
);

const StepSection = ({ step, hint }: { step: Step; hint: Child }) => (
  <li>
    <h2>{step.title}</h2>
    {hint && <p>{hint}</p>}
    <div class="beside">
      <Snippet id={`${step.id}-curl`} label={`curl: ${step.title.toLowerCase()}`} text={step.curl} />
      <Snippet id={`${step.id}-client`} label={`Client: ${step.title.toLowerCase()}`} text={step.code} />
    </div>
  </li>
);

/** The choice of the application whose token the snippets name. */
const Chooser = ({ sellers, chosen }: { sellers: readonly App[]; chosen: App }) =>
  sellers.length > 1 ? (
    <ListFilters action={HERE} submit="Use its name">
      <FilterSelect
        name="application"
        label="Application"
        options={sellers.slice(0, MAX_CHOICES).map(({ id, name }) => [String(id), clip(name, 40)])}
        value={String(chosen.id)}
      />
    </ListFilters>
  ) : null;

/** Returns where checkout may return to, or `null` if the tenant has named no host yet. */
function returnUrlOf(tenant: TenantRow, seller: App | undefined): string | null {
  const [host] = tenant.settings.checkout.allowed_hosts;
  if (host) return `https://${host}/thanks`;
  const origin = seller?.allowed_origins.find((one) => one.startsWith('https://'));
  return origin ? `${origin}/thanks` : null;
}

interface HintsProps {
  readonly request: PageRequest;
  readonly tenant: TenantRow;
  readonly seller: App | undefined;
  readonly registrar: App | undefined;
  readonly hasProduct: boolean;
  readonly hasReturn: boolean;
}

const CHECKOUT_SETTINGS = '/developer/settings/checkout';

/** Returns what checkout still takes: its call is refused without it. */
const checkoutHint = ({ request, tenant, hasReturn }: HintsProps): Child => {
  const pays = takesPayments(tenant.settings);
  return pays && hasReturn ? null : (
    <>
      {!pays && 'Your shop takes no payments yet: the call is 503 until it does. '}
      {!hasReturn && 'Checkout returns only to hosts that you name. '}
      {mayOpen(request, CHECKOUT_SETTINGS) ? (
        <>
          Set this up under <a href={CHECKOUT_SETTINGS}>Settings</a>.
        </>
      ) : (
        'An owner of the shop sets this up under Settings.'
      )}
    </>
  );
};

/** Returns what to know before each step, by the step's id. */
function hintsOf(props: HintsProps): Record<string, Child> {
  const { tenant, seller, registrar, hasProduct } = props;
  const applications = <a href="/developer/applications">Applications</a>;
  return {
    'set-up': seller ? (
      <>
        A token is shown only once, when it is made. If you don't have the token of “{clip(seller.name, 40)}”,
        rotate it under {applications}. Keep it out of your repository.
      </>
    ) : (
      <>
        You have no application that can sell yet. Once there is one of kind “storefront”, the snippets use
        its name.{' '}
        <ActionLink request={props.request} href="/developer/applications/new">
          Create an application
        </ActionLink>
      </>
    ),
    cart: !hasProduct && (
      <>
        You have no simple product in the shop yet. <a href="/developer/products">Add one</a>, and its id
        appears here.
      </>
    ),
    checkout: checkoutHint(props),
    webhook: webhookHint(tenant, registrar),
  };
}

/** Returns what to know before a webhook is registered; `registrar` is the application that may do it. */
function webhookHint({ plan }: HintsProps['tenant'], registrar: HintsProps['registrar']): Child {
  const hooks = <a href="/developer/webhooks">Webhooks</a>;
  if (!includesWebhooks(plan)) return <>Your plan has no webhooks.</>;
  if (registrar) return <>Or register it under {hooks}, which also shows each delivery.</>;
  return (
    <>
      No token of yours may register webhooks: that takes an integration with the scopes webhooks:write and
      orders:read. Or register it under {hooks}, which also shows each delivery.
    </>
  );
}

interface StepsProps {
  readonly steps: ReturnType<typeof quickStartSteps>;
  readonly hints: ReturnType<typeof hintsOf>;
  /** The choice of the application that the snippets name. */
  readonly chooser: Child;
}

const Steps = ({ steps, hints, chooser }: StepsProps) => (
  <>
    <p class="lead">
      From the first call to the first webhook, in your shell or with the <a href="/docs/">API's</a> typed
      client. The snippets name your own applications and products.
    </p>
    <p>
      The client, @storefront-edge/client, is not in the npm registry: whoever runs this service gives you its
      package.
    </p>
    {chooser}
    <ol class="steps">
      {steps.map((step) => (
        <StepSection step={step} hint={hints[step.id]} />
      ))}
    </ol>
    <p>
      Every call appears in the <a href="/developer/request-log">request log</a>.
    </p>
  </>
);

const quickStartPage = async (request: PageRequest) => {
  const [{ tenant }, read] = await Promise.all([
    request.developer(),
    allAnswers({
      all: applicationsOf(request),
      products: request.api({ path: '/v1/products?type=simple&limit=1', answer: ProductList }),
    }),
  ]);
  if (!read.ok) return read;
  const { all, products } = read.value;
  const sellers = all.filter(may(SELLING));
  const asked = request.query('application');
  const seller = sellers.find(({ id }) => String(id) === asked) ?? sellers[0];
  const registrar = all.find(may(REGISTERING));
  const [product] = products.data;
  const returnUrl = returnUrlOf(tenant, seller);
  const steps = quickStartSteps({
    base: new URL(request.c.req.url).origin,
    seller: seller ? tokenName(seller) : { name: 'your storefront', variable: 'STOREFRONT_TOKEN' },
    registrar: registrar ? tokenName(registrar) : { name: 'your integration', variable: 'INTEGRATION_TOKEN' },
    productId: String(product?.id ?? 1),
    returnUrl: returnUrl ?? 'https://shop.example.com/thanks',
  });
  const known = { hasProduct: product !== undefined, hasReturn: returnUrl !== null };
  const hints = hintsOf({ request, tenant, seller, registrar, ...known });
  const chooser = seller && <Chooser sellers={sellers} chosen={seller} />;
  return { title: 'Quick start', body: <Steps steps={steps} hints={hints} chooser={chooser} /> };
};

/** The page that shows a developer the first calls. */
export const quickStartPages: readonly Page[] = [
  getPage({ path: HERE, audience: 'developer' }, quickStartPage),
];
