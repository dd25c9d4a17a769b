import { z } from 'zod';
import type { Application } from '../access/index.ts';
import { SCOPES } from '../kernel/core/scopes.ts';
import {
  Area,
  Checks,
  Choice,
  Field,
  type Filled,
  Instant,
  lines,
  list,
  optional,
  optionalInstant,
  wholeNumber,
} from '../web/index.ts';

/** The kinds of application, as options of a select. */
export const KINDS = [
  ['storefront', 'Storefront'],
  ['mobile', 'Mobile app'],
  ['integration', 'Integration'],
] as const;

const Settings = {
  name: z.string(),
  scopes: list,
  server_side: z
    .enum(['yes', 'no', ''])
    .optional()
    .transform((choice) => (choice ? choice === 'yes' : undefined)),
  allowed_origins: lines,
  rate_limit_per_minute: optional(wholeNumber),
  expires_at: optionalInstant.optional(),
};
/** The form that creates an application. */
export const Create = z.object({ ...Settings, kind: z.string() });
/** The form that changes an application. */
export const Patch = z.object({ ...Settings, status: z.string() });

/** The values of the fields: an application, or the defaults of a new one. A null `server_side` follows its kind. */
export type Known = Pick<
  z.output<typeof Application>,
  'name' | 'scopes' | 'allowed_origins' | 'rate_limit_per_minute' | 'expires_at'
> & { readonly server_side: boolean | null };

const NO_CHOICE = [['', 'Integrations only (the default)']] as const;
const YES_OR_NO = [
  ['no', 'No'],
  ['yes', 'Yes'],
] as const;

interface FieldsProps {
  readonly f: Filled;
  readonly known: Known;
}

/** The fields that the create form and the change form share. */
export const Fields = ({ f, known }: FieldsProps) => (
  <>
    <Field f={f} name="name" label="Name" value={known.name} required attributes={{ maxlength: 255 }} />
    <Checks
      f={f}
      name="scopes"
      legend="Scopes"
      hint="Grant only what the application needs."
      options={SCOPES}
      checked={known.scopes}
    />
    <Choice
      f={f}
      name="server_side"
      label="Runs on a server on behalf of shoppers"
      options={known.server_side === null ? [...NO_CHOICE, ...YES_OR_NO] : YES_OR_NO}
      value={known.server_side === null ? '' : known.server_side ? 'yes' : 'no'}
      hint="Only then is its X-Buyer-IP header trusted. Never choose this for an app in a browser or on a phone"
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
      value={known.allowed_origins.join('\n')}
      hint="One per line, such as https://shop.example.com. Browser requests from other origins are rejected"
    />
    <Field
      f={f}
      name="rate_limit_per_minute"
      label="Requests per minute"
      type="number"
      value={known.rate_limit_per_minute}
      hint="Leave empty for the plan's limit"
      attributes={{ min: 1, max: 6000 }}
    />
    <Instant
      f={f}
      name="expires_at"
      label="Expires (UTC)"
      value={known.expires_at}
      hint="Leave empty for no expiry"
    />
  </>
);
