import { z } from 'zod';
import { type Settings, secretNames } from '../../tenants/index.ts';
import {
  Area,
  amounts,
  Choice,
  checked,
  decimal,
  Field,
  type Filled,
  Form,
  type FormError,
  form,
  getPage,
  lines,
  type Outcome,
  optional,
  optionalText,
  type Page,
  type PageRequest,
  shares,
  sharesByClass,
  shippingByCountry,
  writeAmounts,
  writeClasses,
  writeShares,
  writeShipping,
} from '../../web/index.ts';

const MODES = [
  ['exclusive', 'Exclusive: tax is added to prices'],
  ['inclusive', 'Inclusive: prices include tax'],
] as const;
const PAYMENTS = [
  ['none', 'None: checkout is disabled'],
  ['sandbox', 'Sandbox: test orders'],
  ['stripe', 'Stripe'],
] as const;

/** Multi-line fields, each with its name, label, value and hint. */
const Areas = ({ f, of }: { f: Filled; of: readonly (readonly [string, string, string, string])[] }) => (
  <>
    {of.map(([name, label, value, hint]) => (
      <Area f={f} name={name} label={label} value={value} hint={hint} />
    ))}
  </>
);

const Tax = ({ f, tax }: { f: Filled; tax: Settings['tax'] }) => (
  <fieldset class="card">
    <legend>Tax</legend>
    <Choice f={f} name="tax.mode" label="Prices" options={MODES} value={tax.mode} />
    <Field
      f={f}
      name="tax.rate_percent"
      label="Rate (percent)"
      value={tax.rate_percent}
      required
      attributes={{ inputmode: 'decimal' }}
    />
    <Areas
      f={f}
      of={[
        [
          'tax.rates_by_country',
          'Tax by country',
          writeShares(tax.rates_by_country),
          'One country per line, such as DE 19',
        ],
        [
          'tax.rates_by_class',
          'Tax by class',
          writeClasses(tax.rates_by_class),
          'Rates for products with a tax class. One class per line, such as books: 7, CH 2.6',
        ],
      ]}
    />
    <label class="check">
      <input type="checkbox" name="tax.shipping_taxed" value="yes" checked={tax.shipping_taxed ?? false} />
      <span>Shipping is taxed</span>
    </label>
  </fieldset>
);

const Shipping = ({ f, shipping }: { f: Filled; shipping: Settings['shipping'] }) => (
  <fieldset class="card">
    <legend>Shipping</legend>
    {shipping.methods?.length ? (
      <p class="hint">
        Shoppers choose from your shipping methods ({shipping.methods.map(({ name }) => name).join(', ')}),
        and these prices do not apply. Change the methods with the API: PATCH /v1/settings.
      </p>
    ) : null}
    <Areas
      f={f}
      of={[
        [
          'shipping.flat',
          'Price',
          writeAmounts(shipping.flat),
          'A number, or one currency per line, such as EUR 4.90',
        ],
        [
          'shipping.free_over',
          'Free shipping from',
          writeAmounts(shipping.free_over ?? null),
          'An amount, in the same format. Leave empty for never',
        ],
        [
          'shipping.by_country',
          'Shipping by country',
          writeShipping(shipping.by_country),
          'One country per line, such as CH 9.90, or US EUR 12, USD 13 free from 100, or NO 15 never free',
        ],
      ]}
    />
  </fieldset>
);

const SECRETS = [
  ['checkout_secret', 'Checkout secret'],
  ['stripe_secret_key', 'Stripe secret key'],
  ['stripe_webhook_secret', 'Stripe webhook secret'],
] as const;

/** The write-only secrets; an empty field leaves its secret unchanged. */
const Secrets = ({ f, known }: { f: Filled; known: readonly string[] }) => (
  <fieldset class="card">
    <legend>Secrets</legend>
    <p class="hint">Secrets are stored encrypted and never shown. Leave a field empty to keep its value.</p>
    {SECRETS.map(([name, label]) => (
      <Field
        f={f}
        name={`secrets.${name}`}
        label={label}
        type="password"
        hint={known.includes(name) ? 'Set' : 'Not set'}
        attributes={{ autocomplete: 'off' }}
      />
    ))}
  </fieldset>
);

const settingsPage = async (request: PageRequest, formError: FormError | null) => {
  const [{ tenant }, known] = await Promise.all([
    request.developer(),
    secretNames(request.env, request.tenant.id),
  ]);
  const { tax, shipping, checkout, payments } = tenant.settings;
  const f = { request, trouble: formError };
  const body = (
    <Form request={request} action="/developer/settings" submit="Save" bare>
      <div class="beside">
        <Tax f={f} tax={tax} />
        <Shipping f={f} shipping={shipping} />
        <fieldset class="card">
          <legend>Checkout</legend>
          <Choice f={f} name="payments" label="Payments" options={PAYMENTS} value={payments} />
          <Area
            f={f}
            name="checkout.allowed_hosts"
            label="Hosts that checkout may return to"
            value={checkout.allowed_hosts.join('\n')}
            hint="One per line. Your applications' origins are always allowed"
          />
          <Field
            f={f}
            name="checkout.external_url"
            label="External checkout URL"
            type="url"
            value={checkout.external_url ?? ''}
            hint="An https URL. Leave empty for the built-in checkout page"
          />
        </fieldset>
        <Secrets f={f} known={known} />
      </div>
    </Form>
  );
  return { title: 'Settings', body };
};

const secret = z.string().trim().optional();
const SettingsForm = z.object({
  'tax.mode': z.string(),
  'tax.rate_percent': decimal,
  'tax.rates_by_country': shares,
  'tax.rates_by_class': sharesByClass,
  'tax.shipping_taxed': checked,
  'shipping.flat': amounts,
  'shipping.free_over': optional(amounts),
  'shipping.by_country': shippingByCountry,
  payments: z.string(),
  'checkout.allowed_hosts': lines,
  'checkout.external_url': optionalText,
  'secrets.checkout_secret': secret,
  'secrets.stripe_secret_key': secret,
  'secrets.stripe_webhook_secret': secret,
});

async function change(request: PageRequest, input: z.output<typeof SettingsForm>): Promise<Outcome> {
  const secrets = Object.fromEntries(
    Object.entries(input).flatMap(([name, value]) =>
      name.startsWith('secrets.') && value ? [[name.slice('secrets.'.length), value]] : [],
    ),
  );
  const { tenant } = await request.developer();
  const { methods } = tenant.settings.shipping;
  const body = {
    tax: {
      mode: input['tax.mode'],
      rate_percent: input['tax.rate_percent'],
      rates_by_country: input['tax.rates_by_country'],
      rates_by_class: input['tax.rates_by_class'],
      shipping_taxed: input['tax.shipping_taxed'],
    },
    shipping: {
      flat: input['shipping.flat'],
      free_over: input['shipping.free_over'],
      by_country: input['shipping.by_country'],
      ...(methods && { methods }),
    },
    checkout: {
      allowed_hosts: input['checkout.allowed_hosts'],
      external_url: input['checkout.external_url'],
    },
    payments: input.payments,
    ...(Object.keys(secrets).length > 0 ? { secrets } : {}),
  };
  const changed = await request.api({ method: 'PATCH', path: '/v1/settings', body });
  return changed.ok ? { to: '/developer/settings', note: 'saved' } : changed;
}

const here = { path: '/developer/settings', audience: 'developer' } as const;

/** The page that changes tax, shipping, checkout, payments and secrets. */
export const settingsPages: readonly Page[] = [
  getPage(here, settingsPage),
  form({ ...here, form: SettingsForm }, settingsPage, change),
];
