import { z } from '@hono/zod-openapi';
import type { Jurisdiction } from '../kernel/data/jurisdiction.ts';
import { groupDigits, line, rawText, storedText } from '../kernel/text/text.ts';
import { httpsUrl } from '../kernel/text/uri.ts';
import { byCountry } from '../kernel/values/countries.ts';
import { AmountByCurrency, Currency } from '../kernel/values/currencies.ts';
import { type Amount, amountError } from '../kernel/values/money.ts';
import { checkMethodNames, methodAmounts, ShippingMethods } from '../shipping/index.ts';
import { formatQuota, PLAN_NAMES, PLANS, type Plan, QUOTA_NAMES, QUOTAS } from './plans.ts';
import { FeedSettings } from './settings/feeds.ts';
import { Host } from './settings/host.ts';
import { LowStockThreshold } from './settings/low-stock.ts';
import { UcpSettings } from './settings/ucp.ts';

const Slug = z
  .string()
  .regex(/^[a-z][a-z0-9-]{1,40}$/, 'must be 2 to 41 characters of a-z, 0-9 and "-", and begin with a letter')
  .openapi({ example: 'acme' });

const rate = z.number().min(0).max(100);
const taxClass = storedText(50);
const FlatShipping = z.strictObject({
  flat: AmountByCurrency,
  free_over: AmountByCurrency.nullable().optional(),
});
/** Shipping that overrides the default for a country. A bare amount is its `flat`. */
const CountryShipping = z.union(
  [AmountByCurrency.transform((flat): z.infer<typeof FlatShipping> => ({ flat })), FlatShipping],
  'must be an amount, or an object of "flat" and "free_over"',
);
const Shipping = FlatShipping.extend({
  by_country: byCountry(CountryShipping).optional().openapi({
    description: 'Overrides by country: `flat` and `free_over`, or an amount, which is the `flat`.',
  }),
  methods: ShippingMethods.optional().openapi({
    description:
      'What shoppers choose from. If there are any, they apply in place of `flat`, `free_over` and `by_country`, which otherwise are one method with the id `standard`.',
  }),
});
/** Shipping settings in a request. With methods, `flat` is not needed. Their names must show something. */
const ShippingInput = Shipping.partial({ flat: true })
  .superRefine(({ flat, methods = [] }, ctx) => {
    checkMethodNames(methods, ctx);
    if (flat !== undefined || methods.length > 0) return;
    ctx.addIssue({ code: 'custom', path: ['flat'], message: 'is required without methods' });
  })
  .transform((shipping) => ({ ...shipping, flat: shipping.flat ?? 0 }));
const Rates = z.strictObject({ rate_percent: rate, rates_by_country: byCountry(rate).optional() });

const Checkout = z.strictObject({
  allowed_hosts: z.array(Host).max(50),
  external_url: httpsUrl.nullable().optional().openapi({
    description:
      "The tenant's own checkout page. Shoppers are sent there with `session_token`: a JWS (HS256 under `checkout_secret`) with the claims `iss`, `aud` (the tenant's slug), `session`, `iat` and `exp`. It reads `/v1/checkout/sessions/{session}`, places the order and reports its payment.",
  }),
});

/** A tenant's settings: tax, shipping, checkout, low stock, product feeds, shopping agents, payments. */
export const Settings = z
  .strictObject({
    tax: Rates.extend({
      mode: z.enum(['exclusive', 'inclusive']),
      rates_by_class: z.record(taxClass, Rates).optional().openapi({
        description: "Rates by a product's `tax_class`. Other classes have the standard rates.",
      }),
      shipping_taxed: z.boolean().optional().openapi({
        description: 'Whether shipping is taxed, at the standard rate of the country. By default it is not.',
      }),
    }),
    shipping: Shipping,
    checkout: Checkout,
    low_stock_threshold: LowStockThreshold.optional(),
    feeds: FeedSettings.optional(),
    ucp: UcpSettings.optional().openapi({
      description:
        'Whether shopping agents may buy here by the Universal Commerce Protocol. Enabling it needs a plan with the feature `ucp`.',
    }),
    payments: z.enum(['none', 'sandbox', 'stripe']).openapi({
      description:
        'The payment provider. With `none`, checkout is unavailable (503) unless `external_url` is set. `sandbox` moves no money, and its orders are marked `test`. `stripe` needs `stripe_secret_key` and `stripe_webhook_secret`, stored before or in the same request: without them it is 422, and neither can be removed while it is chosen.',
    }),
  })
  .openapi('Settings');
export type Settings = z.infer<typeof Settings>;

/** An update of settings. Given parts are replaced as a whole; in `checkout` only the given fields are. */
export const SettingsPatch = Settings.extend({ shipping: ShippingInput, checkout: Checkout.partial() })
  .partial()
  .openapi('SettingsPatch');
export type SettingsPatch = z.infer<typeof SettingsPatch>;

/** A tenant's secrets. All are optional here; each payment provider checks those that it needs. */
export const Secrets = z.strictObject({
  checkout_secret: rawText(255, { least: 16 }).optional(),
  stripe_secret_key: rawText(255, { least: 8 }).optional(),
  stripe_webhook_secret: rawText(255, { least: 8 }).optional(),
});
export type Secrets = z.infer<typeof Secrets>;

/** An update of secrets. Write-only; null removes a secret. */
export const SecretsPatch = z
  .strictObject({
    checkout_secret: Secrets.shape.checkout_secret.openapi({
      description:
        "Signs checkout's messages to the storefront. 16 to 255 characters. Generated when the tenant is created.",
    }),
    stripe_secret_key: Secrets.shape.stripe_secret_key.nullable().openapi({
      description: "The Stripe account's secret key. Orders paid under a test key are marked `test`.",
    }),
    stripe_webhook_secret: Secrets.shape.stripe_webhook_secret.nullable().openapi({
      description:
        "The signing secret of the Stripe webhook endpoint with the URL `/payments/stripe/{tenant's slug}`.",
    }),
  })
  .openapi('SecretsPatch', { description: 'Write-only: stored encrypted and never shown.' });
export type SecretsPatch = z.infer<typeof SecretsPatch>;

/** An update that a tenant can make itself: settings and secrets. */
export const SettingsChange = SettingsPatch.extend({ secrets: SecretsPatch.optional() }).openapi(
  'SettingsChange',
);

/** The settings of a new tenant: no tax, free shipping, no payments. */
export const DEFAULT_SETTINGS: Settings = {
  tax: { mode: 'exclusive', rate_percent: 0 },
  shipping: { flat: 0 },
  checkout: { allowed_hosts: [] },
  payments: 'none',
};

const termsOf = (plan: Plan): string => {
  const { requestsPerMinute, features, quotas } = PLANS[plan];
  const counted = QUOTAS.map((quota) => `${formatQuota(quota, quotas[quota])} ${QUOTA_NAMES[quota]}`).join(
    ', ',
  );
  const parts = features.length > 0 ? features.join(', ') : 'none of feed, webhooks and ucp';
  return `- \`${plan}\`: ${groupDigits(requestsPerMinute)} requests per minute for each application; ${parts}; ${counted}`;
};

/** The OpenAPI description of the plans. */
const PLAN_TERMS = `The plan's limits:

${PLAN_NAMES.map(termsOf).join('\n')}

\`products\` counts products and their variants together. A create request beyond a quota is refused with 409 \`quota_exceeded\` (\`details.quota\`, \`details.limit\`). A change to a smaller plan removes nothing: beyond its quotas, only new resources are refused. The calls of a feature that it lacks are 403 \`plan_not_allowed\`, and webhooks are paused within a minute, until a change back.`;
const plan = z.enum(PLAN_NAMES).openapi({ description: PLAN_TERMS });

const STATUSES = ['active', 'suspended'] as const;
/** Every request of a `suspended` tenant is refused. */
export type TenantStatus = (typeof STATUSES)[number];

const JURISDICTIONS = ['eu'] as const satisfies readonly Jurisdiction[];

const name = line(255);
const currencies = z.array(Currency).min(1).max(20);

/** A new tenant. */
export const TenantCreate = z
  .strictObject({
    slug: Slug,
    name,
    currency: Currency,
    currencies: currencies.optional(),
    plan: plan.default('starter'),
    status: z.enum(STATUSES).default('active'),
    jurisdiction: z.enum(JURISDICTIONS).optional().openapi({
      description:
        'The jurisdiction in which all data of the tenant is stored: its objects, its rows and its images. Can never be changed. Needs databases and a bucket that were created there (`EU_BINDINGS`). Catalogue responses are cached everywhere.',
    }),
    settings: SettingsPatch.optional(),
  })
  .openapi('TenantCreate');
export type TenantCreate = z.infer<typeof TenantCreate>;

/** Changes to a tenant; the given fields are replaced, `settings` and `secrets` merged. */
export const TenantPatch = z
  .strictObject({
    name: name.optional(),
    currency: Currency.optional(),
    currencies: currencies.optional(),
    plan: plan.optional(),
    status: z.enum(STATUSES).optional(),
    settings: SettingsPatch.optional(),
    secrets: SecretsPatch.optional(),
  })
  .openapi('TenantPatch');
export type TenantPatch = z.infer<typeof TenantPatch>;

/** A tenant in responses of the platform API. */
export const Tenant = z
  .object({
    slug: z.string(),
    name: z.string(),
    currency: z.string(),
    currencies: z.array(z.string()),
    plan,
    status: z.enum(STATUSES),
    jurisdiction: z.enum(JURISDICTIONS).nullable(),
    settings: Settings,
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .openapi('Tenant');

/** The path parameter of a tenant. */
export const SlugParam = z.object({ slug: Slug });

/** Settings, and the currencies that their amounts may be in: the main one, and all that the tenant sells in. */
interface PricedSettings {
  readonly settings: Settings;
  readonly currency: string;
  readonly currencies: readonly string[];
}

/**
 * Validates the amounts of settings: decimals and maximum of their currency, and that the tenant sells in it.
 * Returns messages by field path, prefixed with `at`; empty if all are valid.
 */
export function settingsErrors(
  { settings, currency, currencies }: PricedSettings,
  at: string,
): Record<string, string[]> {
  const errors: Record<string, string[]> = {};
  const check = (field: string, amount: Amount | null | undefined) => {
    const byCurrency = typeof amount === 'number' ? { [currency]: amount } : (amount ?? {});
    for (const [code, value] of Object.entries(byCurrency)) {
      const error = currencies.includes(code)
        ? amountError(value, code)
        : `the tenant does not sell in ${code}`;
      if (error) errors[field] = [error];
    }
  };
  const { by_country = {}, methods = [], ...main } = settings.shipping;
  for (const [country, rule] of [['', main] as const, ...Object.entries(by_country)]) {
    const field = `${at}shipping${country && `.by_country.${country}`}`;
    check(`${field}.flat`, rule.flat);
    check(`${field}.free_over`, rule.free_over);
  }
  for (const [field, amount] of methodAmounts(methods)) check(`${at}shipping.methods.${field}`, amount);
  return errors;
}

/** A tenant in a list whose shard can't be reached. */
export const UnavailableTenant = z
  .object({
    slug: z.string(),
    shard: z.string().openapi({ description: "The name of the shard's binding." }),
  })
  .openapi('UnavailableTenant');
