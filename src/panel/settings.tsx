import { z } from 'zod';
import type { Settings } from '../tenants/index.ts';
import type { Trouble } from './api.ts';
import { Area, Choice, Field, type Filled, Form } from './form.tsx';
import { form, look, type Outcome, type Page, type Visit } from './page.ts';
import { amounts, checked, decimal, lines, optional, optionalText, shares, writeAmounts } from './wire.ts';

const MODES = [
  ['exclusive', 'Exclusive: added to the prices'],
  ['inclusive', 'Inclusive: inside the prices'],
] as const;
const PAYMENTS = [
  ['none', 'None: there is no checkout'],
  ['sandbox', 'Sandbox: test orders'],
  ['stripe', 'Stripe'],
] as const;

const Tax = ({ f, tax }: { f: Filled; tax: Settings['tax'] }) => (
  <fieldset>
    <legend>Tax</legend>
    <Choice f={f} name="tax.mode" label="Prices" options={MODES} value={tax.mode} />
    <Field
      f={f}
      name="tax.rate_percent"
      label="Rate in percent"
      value={tax.rate_percent}
      required
      attributes={{ inputmode: 'decimal' }}
    />
    <Area
      f={f}
      name="tax.rates_by_country"
      label="Rates by country"
      value={Object.entries(tax.rates_by_country ?? {})
        .map(([country, rate]) => `${country} ${rate}`)
        .join('\n')}
      hint="One in a line, such as DE 19"
    />
    <label class="check">
      <input type="checkbox" name="tax.shipping_taxed" value="yes" checked={tax.shipping_taxed ?? false} />
      <span>Shipping is taxed</span>
    </label>
  </fieldset>
);

const Shipping = ({ f, shipping }: { f: Filled; shipping: Settings['shipping'] }) => (
  <fieldset>
    <legend>Shipping</legend>
    <Area
      f={f}
      name="shipping.flat"
      label="Price"
      value={writeAmounts(shipping.flat)}
      hint="A number, or one currency in a line, such as EUR 4.90"
    />
    <Area
      f={f}
      name="shipping.free_over"
      label="Free from"
      value={writeAmounts(shipping.free_over ?? null)}
      hint="The same; empty for never"
    />
    {shipping.by_country && (
      <p class="hint">Prices of {Object.keys(shipping.by_country).length} countries, set by the API, stay.</p>
    )}
  </fieldset>
);

/** Secrets are written and never shown; an empty field changes nothing. */
const Secrets = ({ f }: { f: Filled }) => (
  <fieldset>
    <legend>Secrets</legend>
    <p class="hint">They are kept encrypted and never shown. Leave empty what is to stay.</p>
    {[
      ['secrets.checkout_secret', 'Checkout secret'],
      ['secrets.stripe_secret_key', 'Stripe secret key'],
      ['secrets.stripe_webhook_secret', 'Stripe webhook secret'],
    ].map(([name = '', label = '']) => (
      <Field f={f} name={name} label={label} type="password" attributes={{ autocomplete: 'off' }} />
    ))}
  </fieldset>
);

const settingsPage = async (visit: Visit, wrong: Trouble | null) => {
  const { tax, shipping, checkout, payments } = (await visit.developer()).tenant.settings;
  const f = { visit, trouble: wrong };
  const body = (
    <Form visit={visit} action="/developer/settings" submit="Save">
      <Tax f={f} tax={tax} />
      <Shipping f={f} shipping={shipping} />
      <fieldset>
        <legend>Checkout</legend>
        <Choice f={f} name="payments" label="Payments" options={PAYMENTS} value={payments} />
        <Area
          f={f}
          name="checkout.allowed_hosts"
          label="Hosts that checkout may return to"
          value={checkout.allowed_hosts.join('\n')}
          hint="One in a line; your applications' origins are allowed as well"
        />
        <Field
          f={f}
          name="checkout.external_url"
          label="Your own checkout"
          type="url"
          value={checkout.external_url ?? ''}
          hint="An https address; empty for ours"
        />
      </fieldset>
      <Secrets f={f} />
    </Form>
  );
  return { title: 'Settings', body };
};

const secret = z.string().trim().optional();
const SettingsForm = z.object({
  'tax.mode': z.string(),
  'tax.rate_percent': decimal,
  'tax.rates_by_country': shares,
  'tax.shipping_taxed': checked,
  'shipping.flat': amounts,
  'shipping.free_over': optional(amounts),
  payments: z.string(),
  'checkout.allowed_hosts': lines,
  'checkout.external_url': optionalText,
  'secrets.checkout_secret': secret,
  'secrets.stripe_secret_key': secret,
  'secrets.stripe_webhook_secret': secret,
});

async function change(visit: Visit, input: z.output<typeof SettingsForm>): Promise<Outcome> {
  const { tax, shipping } = (await visit.developer()).tenant.settings;
  const secrets = Object.fromEntries(
    Object.entries(input).flatMap(([name, value]) =>
      name.startsWith('secrets.') && value ? [[name.slice('secrets.'.length), value]] : [],
    ),
  );
  const body = {
    tax: {
      mode: input['tax.mode'],
      rate_percent: input['tax.rate_percent'],
      rates_by_country: input['tax.rates_by_country'],
      shipping_taxed: input['tax.shipping_taxed'],
      // Set by the API alone.
      ...(tax.rates_by_class ? { rates_by_class: tax.rates_by_class } : {}),
    },
    shipping: {
      flat: input['shipping.flat'],
      free_over: input['shipping.free_over'],
      ...(shipping.by_country ? { by_country: shipping.by_country } : {}),
    },
    checkout: {
      allowed_hosts: input['checkout.allowed_hosts'],
      external_url: input['checkout.external_url'],
    },
    payments: input.payments,
    ...(Object.keys(secrets).length > 0 ? { secrets } : {}),
  };
  const changed = await visit.api({ method: 'PATCH', path: '/v1/settings', body });
  return changed.ok ? { to: '/developer/settings', note: 'saved' } : changed;
}

const here = { path: '/developer/settings', audience: 'developer' } as const;

/** Tax, shipping, checkout and payments. */
export const settingsPages: readonly Page[] = [
  look(here, settingsPage),
  form({ ...here, form: SettingsForm }, settingsPage, change),
];
