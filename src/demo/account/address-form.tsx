import { z } from 'zod';
import type { Schemas } from '../../../client/src/index.ts';
import { Field, Form, type FormError, type PageRequest } from '../../web/index.ts';
import { CountryChoice } from '../frame/country-choice.tsx';

export type Address = Schemas['CustomerAddress'];

/** The fields of an address beside its country: label, autofill token and largest length. */
const FIELDS = {
  label: ['Name of the address, such as Home', 'off', 60],
  first_name: ['First name', 'given-name', 120],
  last_name: ['Last name', 'family-name', 120],
  company: ['Company', 'organization', 120],
  line1: ['Street and number', 'address-line1', 255],
  line2: ['Apartment, floor', 'address-line2', 255],
  postal_code: ['Postal code', 'postal-code', 20],
  city: ['City', 'address-level2', 120],
  region: ['State or region', 'address-level1', 120],
  phone: ['Phone', 'tel', 40],
} as const;
const REQUIRED = ['first_name', 'line1', 'city'];

/** The fields in the order of the form, those of one row together. */
const ROWS = [
  ['label'],
  ['first_name', 'last_name'],
  ['company'],
  ['line1'],
  ['line2'],
  ['postal_code', 'city'],
  ['region', 'phone'],
] as const satisfies (keyof typeof FIELDS)[][];
const NAMES = ROWS.flat();

/** The form of an address: `null` for one that isn't stored yet. */
export interface EditorProps {
  readonly request: PageRequest;
  readonly formError: FormError | null;
  readonly address: Address | null;
}

/** Renders the fields of an address. */
export const Editor = ({ request, formError, address }: EditorProps) => (
  <Form request={request} action={request.c.req.path} submit="Save address">
    {ROWS.map((row) => (
      <div class="pair">
        {row.map((name) => {
          const [label, autocomplete, maxlength] = FIELDS[name];
          const required = REQUIRED.includes(name);
          return (
            <Field
              f={{ request, formError }}
              name={name}
              label={required ? label : `${label} (${name === 'last_name' ? 'if you have one' : 'optional'})`}
              value={address?.[name]}
              required={required}
              attributes={{ autocomplete, maxlength, dir: 'auto' }}
            />
          );
        })}
      </div>
    ))}
    <CountryChoice f={{ request, formError }} value={address?.country} />
  </Form>
);

/** What the form sends: each text trimmed, empty where it was left empty. */
export const Entry = z.object({
  ...Object.fromEntries(NAMES.map((name) => [name, z.string().trim().default('')])),
  country: z.string(),
});

/** Returns the fields that are filled in; `empty` takes the place of the others. */
export const bodyOf = <Empty,>(input: z.output<typeof Entry>, empty: Empty) =>
  Object.fromEntries(Object.entries(input).map(([name, value]) => [name, value === '' ? empty : value]));

/** Returns the chosen country: the API refuses what isn't one. */
export const countryOf = ({ country }: z.output<typeof Entry>) => country as Schemas['Country'];
