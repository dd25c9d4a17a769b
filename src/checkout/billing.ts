import { keysOf } from '../kernel/core/records.ts';
import { isCountry } from '../kernel/values/countries.ts';
import type { PostalAddress } from '../kernel/values/postal-address.ts';

/** Countries whose addresses have no postal code, or arrive without it, as few people know theirs. */
const NO_POSTAL_CODE = new Set(
  'AE AG AO AW BB BF BH BI BJ BO BS BW BZ CD CF CG CI CK CL CM CO DJ DM EC EG ER FJ GA GD GH GM GQ GY HK IE IQ JM JO KE KH KI KM KN KP KW LA LB LY ML MM MO MR MW NG NP NR NU OM PA PE QA RW SB SC SL SR ST SY TD TF TG TK TL TO TT TV TZ UG VN VU YE ZW'.split(
    ' ',
  ),
);

/** Returns whether addresses of a country need a postal code; true while none is chosen. */
export const needsPostalCode = (country: string | undefined): boolean => !NO_POSTAL_CODE.has(country ?? '');

/** The fields of the billing address, with their HTML autofill tokens and maximum lengths in characters. */
export const BILLING_FIELDS = {
  billing_first_name: { label: 'First name', autocomplete: 'billing given-name', maxLength: 60 },
  billing_last_name: { label: 'Last name', autocomplete: 'billing family-name', maxLength: 60 },
  billing_company: { label: 'Company', autocomplete: 'billing organization', maxLength: 120 },
  billing_line1: { label: 'Street and number', autocomplete: 'billing address-line1', maxLength: 255 },
  billing_line2: { label: 'Apartment, floor', autocomplete: 'billing address-line2', maxLength: 255 },
  billing_postal_code: { label: 'Postal code', autocomplete: 'billing postal-code', maxLength: 20 },
  billing_city: { label: 'City', autocomplete: 'billing address-level2', maxLength: 120 },
  billing_region: { label: 'State or region', autocomplete: 'billing address-level1', maxLength: 120 },
  billing_country: { label: 'Country', autocomplete: 'billing country', maxLength: 2 },
} as const;
/** The name of a field of the billing address. */
type BillingField = keyof typeof BILLING_FIELDS;
/** The fields in the order of the form. */
export const BILLING_FIELD_NAMES = keysOf(BILLING_FIELDS);

/** The billing fields as entered, those that are filled. */
type BillingDraft = Readonly<Partial<Record<BillingField, string>>>;

const REQUIRED: readonly BillingField[] = [
  'billing_first_name',
  'billing_line1',
  'billing_postal_code',
  'billing_city',
  'billing_country',
];

/** Returns the filled fields of the billing address, named as in an address. */
export const filledBilling = (draft: BillingDraft): Partial<PostalAddress> =>
  Object.fromEntries(
    BILLING_FIELD_NAMES.flatMap((field) =>
      draft[field] === undefined ? [] : [[field.replace('billing_', ''), draft[field]]],
    ),
  );

/** Returns whether any field of the billing address is filled. */
export const hasBilling = (draft: BillingDraft): boolean =>
  BILLING_FIELD_NAMES.some((field) => draft[field] !== undefined);

/** A billing address, or null for the shipping address; or what is missing, as messages by field. */
interface BillingInput {
  readonly address: PostalAddress | null;
  readonly errors: Readonly<Record<string, string[]>>;
}

/** Reads the billing address. Once one of its fields is filled, all that an invoice needs are required. */
export function billingOf(draft: BillingDraft): BillingInput {
  const { billing_country: country } = draft;
  if (!hasBilling(draft)) return { address: null, errors: {} };
  const missing = REQUIRED.filter(
    (field) => draft[field] === undefined && (field !== 'billing_postal_code' || needsPostalCode(country)),
  );
  const errors = Object.fromEntries(
    missing.map((field) => [
      field,
      [`Enter the ${BILLING_FIELDS[field].label.toLowerCase()} of the billing address.`],
    ]),
  );
  if (country === undefined || !isCountry(country)) {
    return {
      address: null,
      errors: { ...errors, billing_country: ['Choose the country of the billing address.'] },
    };
  }
  return { address: { ...filledBilling(draft), country }, errors };
}

/** Returns a billing address in the fields of the form. */
export const billingDraft = (address: PostalAddress | null): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(Object.entries(address ?? {}).map(([field, value]) => [`billing_${field}`, value]));
