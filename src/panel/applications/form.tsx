import { z } from 'zod';
import { type Application, DEFAULT_SCOPES } from '../../access/index.ts';
import { SCOPES, type Scope } from '../../kernel/core/scopes.ts';
import {
  Area,
  Choice,
  Field,
  type Filled,
  GroupedChecks,
  groupChecks,
  Instant,
  lines,
  list,
  optional,
  optionalInstant,
  Switch,
  wholeNumber,
} from '../../web/index.ts';

const KINDS = [
  ['storefront', 'Storefront'],
  ['mobile', 'Mobile app'],
  ['integration', 'Integration'],
  ['agent', 'Shopping agent'],
] as const;

type Kind = z.output<typeof Application>['kind'];

/** What each scope allows, in groups. */
const SCOPE_WORDS: Readonly<Record<Scope, readonly [group: string, words: string]>> = {
  'catalog:read': ['Catalogue', 'See products and categories'],
  'catalog:write': ['Catalogue', 'Change products, categories and pictures, and import'],
  'inventory:write': ['Catalogue', 'Change stock'],
  'feed:read': ['Catalogue', 'Read the marketplace feed'],
  'theme:read': ['Storefront', 'See the theme'],
  'theme:write': ['Storefront', 'Change the theme'],
  'cart:read': ['Shopping', 'See carts'],
  'cart:write': ['Shopping', 'Fill carts'],
  'checkout:write': ['Shopping', 'Start checkouts'],
  'customers:write': ['Shopping', 'Sign shoppers in, and show them their account'],
  'orders:read': ['Back office', 'See all orders'],
  'orders:write': ['Back office', 'Fulfil, cancel and refund orders'],
  'customers:admin': ['Back office', 'See, export and erase all customers'],
  'coupons:write': ['Back office', 'See and change promotions'],
  'webhooks:read': ['Back office', 'See webhooks, and pull events'],
  'webhooks:write': ['Back office', 'Change webhooks'],
  'settings:read': ['Back office', 'See settings, the audit log and the log of its own calls'],
  'settings:write': ['Back office', 'Change settings and product feeds'],
};

/** Returns the scopes that a kind can have: those of the back office are for integrations alone. */
function scopesFor(kind: Kind): readonly Scope[] {
  if (kind === 'integration') return SCOPES;
  return kind === 'agent' ? [] : [...DEFAULT_SCOPES[kind], 'feed:read'];
}

/** Returns why scopes are refused for a kind; `null` for those that it can have or has already. */
export function refusedScopes(
  kind: Kind,
  scopes: readonly string[],
  existing: readonly string[] = [],
): string | null {
  const allowed: readonly string[] = [...scopesFor(kind), ...existing];
  const refused = scopes.filter((scope) => !allowed.includes(scope));
  return refused.length > 0 ? `${refused.join(', ')}: only an integration can have this` : null;
}

/** The scopes that are ticked for a new application; an integration starts with none. */
const preset = (kind: Kind): readonly Scope[] => (kind === 'integration' ? [] : DEFAULT_SCOPES[kind]);

/** The name of the field of a kind's scopes. */
const fieldOf = <K extends Kind>(kind: K) => `scopes_${kind}` as const;

/** The choice of a new application's kind, with the scopes that it can have; others are not submitted. */
export const KindAndScopes = ({ f }: { readonly f: Filled }) => (
  <Switch
    f={f}
    name="kind"
    label="Kind"
    options={KINDS}
    value="storefront"
    cases={KINDS.map(([kind]) => ({
      of: kind,
      body: kind === 'agent' ? <AgentProfile f={f} /> : <Scopes f={f} kind={kind} />,
    }))}
  />
);

/** The choice of a new application's scopes. */
const Scopes = ({ f, kind }: { readonly f: Filled; readonly kind: Kind }) => (
  <GroupedChecks
    f={f}
    name={fieldOf(kind)}
    legend="Scopes"
    hint="Grant only what the application needs."
    groups={groupChecks(scopesFor(kind), SCOPE_WORDS)}
    checked={preset(kind)}
  />
);

/** The platform that a shopping agent calls for. It has no scopes: its token works for agents' addresses alone. */
const AgentProfile = ({ f }: { readonly f: Filled }) => (
  <Field
    f={f}
    name="agent_profile"
    label="Platform's profile (URL)"
    type="url"
    hint="The profile that the agent names in UCP-Agent. It can't be changed later"
  />
);

const Settings = {
  name: z.string(),
  server_side: z
    .enum(['yes', 'no', ''])
    .optional()
    .transform((choice) => (choice ? choice === 'yes' : undefined)),
  allowed_origins: lines,
  rate_limit_per_minute: optional(wholeNumber),
  expires_at: optionalInstant.optional(),
};
/** The form that creates an application. */
export const Create = z
  .object({
    ...Settings,
    kind: z.enum(['storefront', 'mobile', 'integration', 'agent']),
    agent_profile: z.string().trim().optional(),
    scopes_storefront: list,
    scopes_mobile: list,
    scopes_integration: list,
  })
  .superRefine((form, context) => {
    // The API validates the profile.
    if (form.kind === 'agent') return;
    const field = fieldOf(form.kind);
    if (form[field].length === 0) {
      context.addIssue({ code: 'custom', path: [field], message: 'Choose at least one scope' });
    }
    const message = refusedScopes(form.kind, form[field]);
    if (message !== null) context.addIssue({ code: 'custom', path: [field], message });
  })
  .transform(({ scopes_storefront, scopes_mobile, scopes_integration, agent_profile, ...form }) => {
    const own = { storefront: scopes_storefront, mobile: scopes_mobile, integration: scopes_integration };
    return form.kind === 'agent'
      ? { ...form, scopes: [], agent_profile: agent_profile || undefined }
      : { ...form, scopes: own[form.kind] };
  });
/** The form that changes an application. */
export const Patch = z.object({ ...Settings, scopes: list });

/** Returns the scopes that an application's form offers: those of its kind, and those that it has already. */
const offered = ({ kind, scopes }: z.output<typeof Application>): readonly Scope[] =>
  SCOPES.filter((one) => scopesFor(kind).includes(one) || scopes.includes(one));

const yesOrNo = (is: boolean): 'yes' | 'no' => (is ? 'yes' : 'no');

const NO_CHOICE = [['', 'Integrations only (the default)']] as const;
const YES_OR_NO = [
  ['no', 'No'],
  ['yes', 'Yes'],
] as const;

interface FieldsProps {
  readonly f: Filled;
  /** Null for a new application, whose scopes come with the choice of its kind. */
  readonly known: z.output<typeof Application> | null;
}

/** The fields that the create form and the change form share. */
export const Fields = ({ f, known }: FieldsProps) => (
  <>
    <Field f={f} name="name" label="Name" value={known?.name} required maxlength={255} />
    {known && known.kind !== 'agent' && (
      <GroupedChecks
        f={f}
        name="scopes"
        legend="Scopes"
        hint="Grant only what the application needs."
        groups={groupChecks(offered(known), SCOPE_WORDS)}
        checked={known.scopes}
      />
    )}
    <Choice
      f={f}
      name="server_side"
      label="Runs on a server on behalf of shoppers"
      options={known ? YES_OR_NO : [...NO_CHOICE, ...YES_OR_NO]}
      value={known === null ? '' : yesOrNo(known.server_side)}
      hint="Its X-Buyer-IP header is then trusted. Never choose this for an app in a browser or on a phone"
    />
    <LimitFields f={f} known={known} />
  </>
);

/** The fields that limit where, how often and how long a token works. */
const LimitFields = ({ f, known }: FieldsProps) => (
  <>
    <Area
      f={f}
      name="allowed_origins"
      label="Allowed origins"
      value={known?.allowed_origins.join('\n')}
      hint="One per line, such as https://shop.example.com. Browser requests from other origins are rejected"
    />
    <Field
      f={f}
      name="rate_limit_per_minute"
      label="Requests per minute"
      type="number"
      value={known?.rate_limit_per_minute}
      hint="Leave empty for the plan's limit"
      attributes={{ min: 1, max: 6000 }}
    />
    <Instant
      f={f}
      name="expires_at"
      label="Expires (UTC)"
      value={known?.expires_at}
      hint="Leave empty for no expiry"
    />
  </>
);
