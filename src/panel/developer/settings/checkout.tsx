import { z } from 'zod';
import { type Settings, secretNames } from '../../../tenants/index.ts';
import {
  Area,
  Choice,
  checked,
  Field,
  FieldCard,
  type Filled,
  Form,
  type FormError,
  lines,
  type Outcome,
  optionalText,
  type PageRequest,
  Tick,
} from '../../../web/index.ts';
import { commaSeparated } from '../../comma-separated.ts';
import { storedValues } from '../../editing/changes.ts';
import { EditedParts } from '../../editing/save-edit.tsx';
import { tenantDatabase } from '../../tenant-database.ts';
import { type SettingsPart, saveSettings } from './save-settings.ts';
import { SETTINGS_PATH, SettingsTabs, titleOf } from './tabs.tsx';

const here = `${SETTINGS_PATH}/checkout`;

const PAYMENTS = [
  ['none', 'None: checkout is disabled'],
  ['sandbox', 'Sandbox: test orders, no money moves'],
  ['stripe', 'Stripe'],
] as const;

/** The page of checkout, payments and secrets. */
export const checkoutPage = async (request: PageRequest, formError: FormError | null) => {
  const [{ tenant }, known] = await Promise.all([request.developer(), secretNames(tenantDatabase(request))]);
  const f = { request, formError };
  const body = (
    <>
      <SettingsTabs request={request} here={here} />
      <Form request={request} action={here} submit="Save" unsaved bare>
        <EditedParts f={f} parts={PARTS} stored={tenant.settings} />
        <div class="beside">
          <FieldCard title="Payments">
            <Choice
              f={f}
              name="payments"
              label="Payments"
              options={PAYMENTS}
              value={tenant.settings.payments}
              hint="Stripe needs both of its secrets"
            />
            <StripeSecrets f={f} known={known} />
            <StripeEndpoint url={`${new URL(request.c.req.url).origin}/payments/stripe/${tenant.slug}`} />
          </FieldCard>
          <Checkout f={f} checkout={tenant.settings.checkout} known={known} />
        </div>
      </Form>
    </>
  );
  return { ...titleOf(here), body };
};

interface SecretProps {
  readonly f: Filled;
  readonly name: string;
  readonly label: string;
  readonly known: readonly string[];
}

/** A write-only secret; an empty field leaves it unchanged. A form with errors does not repeat what was typed. */
const SecretField = ({ f, name, label, known }: SecretProps) => {
  const isLost = Boolean(f.formError && f.request.sent[`secrets.${name}`]?.[0]);
  const stored = known.includes(name) ? 'Set. Leave empty to keep it' : 'Not set';
  return (
    <Field
      f={f}
      name={`secrets.${name}`}
      label={label}
      type="password"
      hint={isLost ? 'Not saved: type it again. Secrets are never shown' : stored}
      // Browsers ignore "off" at a password, and would fill in the user's own of this panel.
      attributes={{ autocomplete: 'new-password' }}
    />
  );
};

const STRIPE_SECRETS = [
  ['stripe_secret_key', 'Stripe secret key'],
  ['stripe_webhook_secret', 'Stripe webhook secret'],
] as const;

const StripeSecrets = ({ f, known }: { f: Filled; known: readonly string[] }) => (
  <>
    {STRIPE_SECRETS.map(([name, label]) => (
      <>
        <SecretField f={f} name={name} label={label} known={known} />
        {known.includes(name) && (
          <Tick f={f} name={`remove.${name}`} label={`Remove the ${label}`} on={false} />
        )}
      </>
    ))}
  </>
);

/** The events that Stripe must send, of those that src/checkout/payments/stripe.ts handles. */
const STRIPE_EVENTS = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
  'charge.refunded',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
];

/** What to set up in Stripe. */
const StripeEndpoint = ({ url }: { readonly url: string }) => (
  <p class="hint">
    In Stripe, add a webhook endpoint at <code>{url}</code>; its signing secret is the webhook secret. It
    needs the events {commaSeparated(STRIPE_EVENTS.map((event) => <code>{event}</code>))}.
  </p>
);

interface CheckoutProps {
  readonly f: Filled;
  readonly checkout: Settings['checkout'];
  readonly known: readonly string[];
}

const Checkout = ({ f, checkout, known }: CheckoutProps) => (
  <FieldCard title="Checkout">
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
      value={checkout.external_url}
      hint="An https URL of your own checkout. Leave empty for the built-in page"
    />
    <SecretField f={f} name="checkout_secret" label="Checkout secret" known={known} />
    <p class="hint">
      It signs checkout's messages to your storefront, which verifies them with the same secret. The first one
      is random: set one of your own, of at least 16 characters. Secrets are stored encrypted and never shown.
    </p>
  </FieldCard>
);

const secret = z.string().trim().optional();

/** The form of checkout, payments and secrets. */
export const CheckoutForm = z.object({
  payments: z.string(),
  'checkout.allowed_hosts': lines,
  'checkout.external_url': optionalText,
  'secrets.checkout_secret': secret,
  'secrets.stripe_secret_key': secret,
  'secrets.stripe_webhook_secret': secret,
  'remove.stripe_secret_key': checked,
  'remove.stripe_webhook_secret': checked,
});
type CheckoutInput = z.output<typeof CheckoutForm>;

/** Returns the secrets to change: those typed, and null for those to remove. */
function secretsOf(input: CheckoutInput): Record<string, string | null> {
  const names = ['checkout_secret', 'stripe_secret_key', 'stripe_webhook_secret'] as const;
  const changes = names.flatMap((name): [string, string | null][] => {
    const typed = input[`secrets.${name}`];
    if (typed) return [[name, typed]];
    return name !== 'checkout_secret' && input[`remove.${name}`] ? [[name, null]] : [];
  });
  return Object.fromEntries(changes);
}

const PARTS: readonly SettingsPart[] = [
  { key: 'payments', label: 'Payments' },
  {
    key: 'allowed_hosts',
    label: 'Hosts that checkout may return to',
    of: ({ checkout }) => checkout.allowed_hosts,
  },
  {
    key: 'external_url',
    label: 'External checkout URL',
    of: ({ checkout }) => checkout.external_url ?? null,
  },
  // They are never shown: what is typed is always a change.
  { key: 'secrets', label: 'Secrets', of: () => ({}) },
];

/** Saves checkout, payments and secrets. */
export const saveCheckout = (request: PageRequest, input: CheckoutInput): Promise<Outcome> =>
  saveSettings(request, {
    parts: PARTS,
    values: {
      payments: input.payments,
      allowed_hosts: input['checkout.allowed_hosts'],
      external_url: input['checkout.external_url'],
      secrets: secretsOf(input),
    },
    patch: (stored, changed) => {
      const { allowed_hosts, external_url } = { ...storedValues(PARTS, stored), ...changed };
      const { payments, secrets } = changed;
      return {
        ...(payments !== undefined && { payments }),
        ...(secrets !== undefined && { secrets }),
        checkout: { allowed_hosts, external_url },
      };
    },
  });
