import { z } from 'zod';
import { includesUcp, type Settings, type TenantRow } from '../../../tenants/index.ts';
import { businessProfile } from '../../../ucp/index.ts';
import {
  Area,
  asFormError,
  checked,
  Facts,
  Field,
  FieldCard,
  type Filled,
  Form,
  type FormError,
  lines,
  type Outcome,
  optionalText,
  type PageRequest,
  State,
  Tick,
} from '../../../web/index.ts';
import { storedValues } from '../../editing/changes.ts';
import { EditedParts } from '../../editing/save-edit.tsx';
import { takesPayments } from '../../insights/setup-checklist.tsx';
import { AgentKeys, publishedKeys } from './agent-keys.tsx';
import { type SettingsPart, saveSettings } from './save-settings.ts';
import { AGENTS_PATH, SettingsTabs, titleOf } from './tabs.tsx';

/** The page of the Universal Commerce Protocol: settings, what is missing, and the profile that agents get. */
export const agentsPage = async (request: PageRequest, formError: FormError | null) => {
  const { slug } = request.tenant;
  const { origin } = new URL(request.c.req.url);
  const [{ tenant }, keys] = await Promise.all([request.developer(), publishedKeys(request)]);
  const profile = businessProfile(
    { slug },
    origin,
    keys.map(({ publicKey }) => publicKey),
  );
  const address = `${origin}/ucp/${slug}/.well-known/ucp`;
  const body = (
    <>
      <SettingsTabs request={request} here={AGENTS_PATH} />
      <p class="hint">
        Shopping agents find, fill a cart and hand the shopper over to your checkout page by the Universal
        Commerce Protocol.
      </p>
      <h2>Ready for agents</h2>
      <Checklist tenant={tenant} />
      <AgentsSettings f={{ request, formError }} settings={tenant.settings} />
      <AgentKeys request={request} keys={keys} />
      <h2>Profile</h2>
      <p>
        Agents begin at <code>{address}</code>
      </p>
      <pre tabindex={0}>{JSON.stringify(profile, null, 2)}</pre>
    </>
  );
  return { ...titleOf(AGENTS_PATH), body };
};

/** What an agent needs to sell for a shop, and whether it is there. */
const Checklist = ({ tenant: { plan, settings } }: { tenant: Pick<TenantRow, 'plan' | 'settings'> }) => {
  const { ucp, feeds } = settings;
  const policies = ucp?.policies ?? {};
  const isDone: Record<string, boolean> = {
    'A plan with agents (growth or enterprise)': includesUcp(plan),
    'Enabled below': ucp?.enabled === true,
    'A way to pay': takesPayments(settings),
    "The shop's first page": Boolean(ucp?.storefront_url),
    'Pages of products': Boolean(ucp?.product_url ?? feeds?.product_url),
    'Privacy, terms and refunds': Boolean(policies.privacy && policies.terms && policies.refunds),
  };
  return (
    <Facts
      of={Object.fromEntries(
        Object.entries(isDone).map(([name, done]) => [name, <State is={done ? 'done' : 'missing'} />]),
      )}
    />
  );
};

interface AgentsProps {
  readonly f: Filled;
  readonly ucp: Settings['ucp'];
}

const POLICIES = [
  ['privacy', 'Privacy policy (URL)'],
  ['terms', 'Terms of service (URL)'],
  ['refunds', 'Refund policy (URL)'],
] as const;

const PolicyFields = ({ f, ucp }: AgentsProps) => (
  <FieldCard title="Policies">
    {POLICIES.map(([name, label]) => (
      <Field f={f} name={`ucp.policies.${name}`} label={label} type="url" value={ucp?.policies?.[name]} />
    ))}
  </FieldCard>
);

const AgentFields = ({ f, ucp }: AgentsProps) => (
  <FieldCard title="Agents">
    <Tick f={f} name="ucp.enabled" label="Agents may buy here" on={ucp?.enabled ?? false} />
    <Field
      f={f}
      name="ucp.storefront_url"
      label="First page of your shop"
      type="url"
      value={ucp?.storefront_url}
      hint="Where shoppers finish what an agent can't do"
    />
    <Field
      f={f}
      name="ucp.product_url"
      label="Address of a product in your shop"
      value={ucp?.product_url}
      hint="Such as https://shop.example.com/p/{slug}. Leave empty for that of product feeds"
      maxlength={1000}
    />
    <Area
      f={f}
      name="ucp.hosts"
      label="Hosts of your shop that lead to this service"
      value={(ucp?.hosts ?? []).join('\n')}
      hint="One per line, at most 10. Agents find the profile there at /.well-known/ucp"
    />
  </FieldCard>
);

const AgentsSettings = ({ f, settings }: { readonly f: Filled; readonly settings: Settings }) => (
  <Form request={f.request} action={AGENTS_PATH} submit="Save" unsaved bare>
    <EditedParts f={f} parts={PARTS} stored={settings} />
    <div class="beside">
      <AgentFields f={f} ucp={settings.ucp} />
      <PolicyFields f={f} ucp={settings.ucp} />
    </div>
  </Form>
);

/** The form of the settings for agents. */
export const AgentsForm = z.object({
  'ucp.enabled': checked,
  'ucp.storefront_url': optionalText,
  'ucp.product_url': optionalText,
  'ucp.hosts': lines,
  'ucp.policies.privacy': optionalText,
  'ucp.policies.terms': optionalText,
  'ucp.policies.refunds': optionalText,
});

const PARTS: readonly SettingsPart[] = [
  { key: 'enabled', label: 'Agents may buy here', of: ({ ucp }) => ucp?.enabled ?? false },
  { key: 'storefront_url', label: 'First page of your shop', of: ({ ucp }) => ucp?.storefront_url ?? null },
  {
    key: 'product_url',
    label: 'Address of a product in your shop',
    of: ({ ucp }) => ucp?.product_url ?? null,
  },
  { key: 'hosts', label: 'Hosts of your shop', of: ({ ucp }) => ucp?.hosts ?? [] },
  ...POLICIES.map(
    ([name, label]): SettingsPart => ({
      key: name,
      label,
      of: ({ ucp }) => ucp?.policies?.[name] ?? null,
    }),
  ),
];

const NOT_IN_PLAN = asFormError(
  'Your plan has no shopping agents. The operator of the platform can change your plan.',
  403,
  'ucp.enabled',
);

/** Saves the settings for agents, which the API takes as a whole. */
export async function saveAgents(request: PageRequest, input: z.output<typeof AgentsForm>): Promise<Outcome> {
  const saved = await saveSettings(request, {
    parts: PARTS,
    values: Object.fromEntries(
      Object.entries(input).map(([field, value]) => [field.replace(/^ucp\.(policies\.)?/, ''), value]),
    ),
    patch: (stored, changed) => {
      const { privacy, terms, refunds, ...plain } = { ...storedValues(PARTS, stored), ...changed };
      return { ucp: { ...plain, policies: { privacy, terms, refunds } } };
    },
  });
  return 'formError' in saved && saved.formError.code === 'plan_not_allowed' ? NOT_IN_PLAN : saved;
}
