import type { CartAgent, CartSnapshot } from '../cart/index.ts';
import { keysOf } from '../kernel/core/records.ts';
import { fail, ok, type Result } from '../kernel/core/result.ts';
import { EMAIL_ADDRESS, withAsciiDomain } from '../kernel/text/email.ts';
import { asciiNumber } from '../kernel/text/plain-spelling.ts';
import { closesDirections, lengthOf, looksEmpty, onOneLine, textFault } from '../kernel/text/text.ts';
import { isCountry } from '../kernel/values/countries.ts';
import { fullName, type PostalAddress } from '../kernel/values/postal-address.ts';
import { BILLING_FIELDS, billingOf, needsPostalCode } from './billing.ts';

/** The fields of the checkout page, with their HTML autofill tokens and maximum lengths in characters. */
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
/** The name of a field of the checkout page, apart from billing and note. */
export type Field = keyof typeof FIELDS;
/** The fields that make up the shipping address. */
export const ADDRESS_FIELDS = keysOf(FIELDS).filter((field) => field !== 'email');
/** The shopper's message to the shop. */
export const NOTE = { label: 'Note to the shop', autocomplete: 'off', maxLength: 500 } as const;

/** Everything that a shopper can enter. */
const FORM_FIELDS = { ...FIELDS, ...BILLING_FIELDS, note: NOTE } as const;
type FormField = keyof typeof FORM_FIELDS;
const FIELD_NAMES = keysOf(FORM_FIELDS);

/**
 * The buyer form as entered so far, not validated: its fields, the id of the shipping method, and the same id again if the
 * page had selected that method by itself.
 */
export type BuyerDraft = Partial<Record<FormField | 'shipping_method' | 'default_method', string>>;

/** The buyer of an order, with the addresses and the message to the shop. */
export interface Buyer {
  readonly name: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly address: PostalAddress | null;
  /** Null for the shipping address. */
  readonly billingAddress: PostalAddress | null;
  readonly note: string | null;
}

/** The required fields of a cart without shipped items, and of one with them. Some people have a single name. */
const REQUIRED: readonly Field[] = ['email', 'first_name', 'country'];
const REQUIRED_TO_SHIP: readonly Field[] = [...REQUIRED, 'line1', 'postal_code', 'city'];

/** Returns whether any line is shipped. */
export const ships = (snapshot: CartSnapshot): boolean => snapshot.lines.some((line) => line.ships);

/** The fields in the order of the page: beside the country, the last of them, is the button that updates the totals. */
const PAGE_FIELDS: readonly Field[] = [...keysOf(FIELDS).filter((field) => field !== 'country'), 'country'];

/** Returns the fields that the page shows; address fields only if a line is shipped. */
export const fieldsOf = (snapshot: CartSnapshot): readonly Field[] =>
  ships(snapshot) ? PAGE_FIELDS : ['email', 'first_name', 'last_name', 'country'];

const requiredFields = (shipped: boolean, country: string | undefined): readonly Field[] =>
  (shipped ? REQUIRED_TO_SHIP : REQUIRED).filter(
    (field) => field !== 'postal_code' || needsPostalCode(country),
  );

/** Returns whether a field is required; the postal code depends on the country. */
export const isRequired = (snapshot: CartSnapshot, field: Field, country: string | undefined): boolean =>
  requiredFields(ships(snapshot), country).includes(field);

/** A buyer before the cart is frozen, and whether a line is shipped. */
interface KnownBuyer {
  readonly ships: boolean;
  readonly email: string | null;
  readonly buyer: CartAgent['buyer'];
  readonly address: PostalAddress | null;
}

/** Returns the required fields of the page that a buyer lacks. */
export function missingBuyerFields({ ships: shipped, email, buyer, address }: KnownBuyer): readonly Field[] {
  const draft = filledFields({ ...buyer, ...address, email });
  return requiredFields(shipped, draft.country).filter((field) => draft[field] === undefined);
}

/**
 * Returns the values that prefill the page: the cart's contact data if its customer's session prepared the
 * checkout, or an agent gathered them; else only the country. Anyone with the cart's token can get the page's URL.
 */
export const prefilledBuyer = ({
  address,
  email,
  country,
  contactShown,
  buyer,
}: CartSnapshot): BuyerDraft => ({
  ...(contactShown && buyer && filledFields({ ...buyer })),
  ...(contactShown && address && filledFields({ ...address })),
  ...(country !== null && { country }),
  ...(contactShown && email !== null && { email }),
});

/** Returns the fields of the page that show something. */
export const filledFields = (given: Readonly<Record<string, unknown>>): BuyerDraft =>
  Object.fromEntries(
    FIELD_NAMES.flatMap((field) => {
      const value = given[field];
      return typeof value === 'string' && !looksEmpty(value) ? [[field, value]] : [];
    }),
  );

const METHOD_ID = /^[a-z0-9_-]{1,64}$/;

/** Returns a full name on one line, as shops put it into the headers of mails; null if there is none. */
export const nameOnOneLine = (of: Partial<PostalAddress>): string | null => onOneLine(fullName(of)) || null;

/** Returns a text without controls of text direction unless it closes them all: shoppers can't see what they pasted. */
const withClosedDirections = (given: string): string =>
  closesDirections(given) ? given : given.replace(/[\u202a-\u202e\u2066-\u2069]/g, '');

/**
 * Returns a field as it was typed, in NFC and trimmed; telephone numbers and postal codes in ASCII, as carriers take them.
 * The note alone has line breaks, as LF.
 */
function typedText(field: FormField, given: string): string {
  // `inputErrors` refuses it.
  if (textFault(given) !== null) return given.trim();
  const normal = withClosedDirections(given.normalize('NFC'));
  if (field === 'note') return normal.replaceAll('\r\n', '\n').trim();
  const line = onOneLine(normal);
  if (field === 'email') return withAsciiDomain(line);
  return /phone|postal_code/.test(field) ? asciiNumber(line) : line;
}

/**
 * Returns the fields of a submitted form (see {@link typedText}); `inputErrors` validates them. An unknown country and
 * an id that no shipping method can have are dropped.
 */
export function draftOf(form: URLSearchParams): BuyerDraft {
  const typed = FIELD_NAMES.map((field) => {
    const value = typedText(field, form.get(field) ?? '');
    const unknown = field.endsWith('country') && !isCountry(value);
    return [field, unknown ? '' : value];
  });
  const method = form.get('shipping_method') ?? '';
  return {
    ...filledFields(Object.fromEntries(typed)),
    ...(METHOD_ID.test(method) && {
      shipping_method: method,
      ...(form.get('default_method') === method && { default_method: method }),
    }),
  };
}

/**
 * Returns the errors of values that can't be stored, as messages for the shopper; `null` if there are none.
 */
export function inputErrors(draft: BuyerDraft): Record<string, string[]> | null {
  const errors: Record<string, string[]> = {};
  for (const field of FIELD_NAMES) {
    const { [field]: value = '' } = draft;
    const { maxLength } = FORM_FIELDS[field];
    if (textFault(value) !== null) errors[field] = ['Remove unsupported characters.'];
    else if (lengthOf(value) > maxLength) errors[field] = [`Use at most ${maxLength} characters.`];
  }
  return Object.keys(errors).length > 0 ? errors : null;
}

/** Returns the filled fields of the shipping address. */
const addressIn = (draft: BuyerDraft): Partial<PostalAddress> =>
  Object.fromEntries(
    ADDRESS_FIELDS.flatMap((field) => (draft[field] === undefined ? [] : [[field, draft[field]]])),
  );

/** Returns what is wrong with a field of a draft, for the shopper; null if nothing is. */
function problemOf(draft: BuyerDraft, snapshot: CartSnapshot, field: Field): string | null {
  const value = draft[field];
  if (value === undefined) {
    const verb = field === 'country' ? 'Choose' : 'Enter';
    const isMissing = isRequired(snapshot, field, draft.country);
    return isMissing ? `${verb} your ${FIELDS[field].label.toLowerCase()}.` : null;
  }
  if (field === 'email' && !EMAIL_ADDRESS.test(value)) {
    return 'Enter an e-mail address such as name@example.com.';
  }
  return field === 'country' && !isCountry(value) ? 'Choose your country.' : null;
}

/** Validates a draft. Returns the buyer, or a 422 with a message for the shopper on each invalid field. */
export function buyerOf(draft: BuyerDraft, snapshot: CartSnapshot): Result<Buyer> {
  const errors: Record<string, string[]> = {};
  for (const field of fieldsOf(snapshot)) {
    const message = problemOf(draft, snapshot, field);
    if (message) errors[field] = [message];
  }
  const billing = billingOf(draft);
  Object.assign(errors, billing.errors);
  if (Object.keys(errors).length > 0) return fail('validation_error', { errors });
  const { email, country } = draft;
  return ok({
    name: nameOnOneLine(draft),
    email: email ?? null,
    phone: draft.phone ?? null,
    address: country === undefined ? null : { ...addressIn(draft), country },
    billingAddress: billing.address,
    note: draft.note ?? null,
  });
}
