import { z } from '@hono/zod-openapi';
import type { CartSnapshot } from '../../cart/index.ts';
import { isCountry } from '../../kernel/core/countries.ts';
import type { PostalAddress } from '../../kernel/core/postal-address.ts';
import { fail, ok, type Result } from '../../kernel/core/result.ts';
import { isText, lengthOf } from '../../kernel/core/text.ts';

/** The fields of the checkout page, with what a browser may fill them with (HTML autofill). */
export const FIELDS = {
  email: { label: 'E-mail', autocomplete: 'email', maxLength: 254 },
  first_name: { label: 'First name', autocomplete: 'given-name', maxLength: 60 },
  last_name: { label: 'Last name', autocomplete: 'family-name', maxLength: 60 },
  company: { label: 'Company', autocomplete: 'organization', maxLength: 120 },
  line1: { label: 'Street and number', autocomplete: 'address-line1', maxLength: 255 },
  line2: { label: 'Apartment, floor', autocomplete: 'address-line2', maxLength: 255 },
  postal_code: { label: 'Postal code', autocomplete: 'postal-code', maxLength: 20 },
  city: { label: 'City', autocomplete: 'address-level2', maxLength: 120 },
  region: { label: 'State or region', autocomplete: 'address-level1', maxLength: 120 },
  country: { label: 'Country', autocomplete: 'country', maxLength: 2 },
  phone: { label: 'Phone', autocomplete: 'tel', maxLength: 40 },
} as const;
export type Field = keyof typeof FIELDS;
// The keys of a constant object are those that it was written with.
const FIELD_NAMES = Object.keys(FIELDS) as Field[];

/** What a shopper has typed so far; nothing of it has to be right. */
export type BuyerDraft = Partial<Record<Field, string>>;

/** Who buys, and where it goes: what an order keeps. */
export interface Buyer {
  readonly name: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly address: PostalAddress | null;
}

/** What a cart that ships asks for, and one that doesn't. */
const REQUIRED: readonly Field[] = ['email', 'first_name', 'last_name', 'country'];
const REQUIRED_TO_SHIP: readonly Field[] = [...REQUIRED, 'line1', 'postal_code', 'city'];

/** Countries whose addresses have no postal code. */
const NO_POSTAL_CODE = new Set(
  'AE AG AO AW BB BF BI BJ BO BS BW BZ CD CF CG CI CK CM DJ DM ER FJ GA GD GH GM GQ GY HK JM KI KM KN KP LY ML MO MR MW NR NU PA QA RW SB SC SL SR ST SY TD TF TG TK TL TO TT TV UG VU YE ZW'.split(
    ' ',
  ),
);

/** Whether anything in the cart has to be sent. */
export const ships = (snapshot: CartSnapshot): boolean => snapshot.lines.some((line) => line.ships);

/** The fields that the page shows: an address only where something is sent. */
export const fieldsOf = (snapshot: CartSnapshot): readonly Field[] =>
  ships(snapshot)
    ? [
        'email',
        'first_name',
        'last_name',
        'line1',
        'line2',
        'postal_code',
        'city',
        'region',
        'phone',
        'country',
      ]
    : ['email', 'first_name', 'last_name', 'country'];

/** Whether the page insists on a field. */
export const isRequired = (snapshot: CartSnapshot, field: Field, country: string | undefined): boolean =>
  (ships(snapshot) ? REQUIRED_TO_SHIP : REQUIRED).includes(field) &&
  !(field === 'postal_code' && NO_POSTAL_CODE.has(country ?? ''));

/**
 * Returns what the page is filled in with: the cart's contact data where the session of its customer prepared
 * the checkout, else the country alone, since whoever has the cart's token can get a URL of the page.
 */
export const prefilledBuyer = ({ address, email, country, contactShown }: CartSnapshot): BuyerDraft => ({
  ...(contactShown && address && filledFields({ ...address })),
  ...(country !== null && { country }),
  ...(contactShown && email !== null && { email }),
});

/** Returns what there is of the page's fields. */
export const filledFields = (given: Readonly<Record<string, unknown>>): BuyerDraft =>
  Object.fromEntries(
    FIELD_NAMES.flatMap((field) => {
      const value = given[field];
      return typeof value === 'string' && value !== '' ? [[field, value]] : [];
    }),
  );

/**
 * Returns what was typed into the page, in NFC and trimmed, and nothing else: see {@link inputErrors} for what of
 * it can't be kept. What the page doesn't offer as a country counts as none.
 */
export function draftOf(form: URLSearchParams): BuyerDraft {
  const typed = FIELD_NAMES.map((field) => [field, (form.get(field) ?? '').normalize('NFC').trim()]);
  const { country, ...draft } = filledFields(Object.fromEntries(typed));
  return country !== undefined && isCountry(country) ? { ...draft, country } : draft;
}

/** Returns what of a draft can't be kept, in words for its reader; `null` where all of it can. */
export function inputErrors(draft: BuyerDraft): Record<string, string[]> | null {
  const errors: Record<string, string[]> = {};
  for (const field of FIELD_NAMES) {
    const { [field]: value = '' } = draft;
    const { maxLength } = FIELDS[field];
    if (!isText(value)) errors[field] = ['Use letters, digits and signs.'];
    else if (lengthOf(value) > maxLength) errors[field] = [`Use at most ${maxLength} characters.`];
  }
  return Object.keys(errors).length > 0 ? errors : null;
}

const Email = z.email();

/** The buyer of a draft, or a 422 that says of each field what it lacks, in words for its reader. */
export function buyerOf(draft: BuyerDraft, snapshot: CartSnapshot): Result<Buyer> {
  const errors: Record<string, string[]> = {};
  for (const field of fieldsOf(snapshot)) {
    const value = draft[field];
    if (value === undefined) {
      if (isRequired(snapshot, field, draft.country)) {
        errors[field] = [
          `${field === 'country' ? 'Choose' : 'Enter'} your ${FIELDS[field].label.toLowerCase()}.`,
        ];
      }
    } else if (field === 'email' && !Email.safeParse(value).success) {
      errors.email = ['Enter an e-mail address such as name@example.com.'];
    } else if (field === 'country' && !isCountry(value)) {
      errors.country = ['Choose your country.'];
    }
  }
  if (Object.keys(errors).length > 0) return fail('validation_error', { errors });
  const { email, country, ...address } = draft;
  const name = [draft.first_name, draft.last_name].filter((part) => part !== undefined).join(' ');
  return ok({
    name: name || null,
    email: email ?? null,
    phone: draft.phone ?? null,
    address: country === undefined ? null : { country, ...address },
  });
}
