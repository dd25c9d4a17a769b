import type { TenantDatabase } from '../../../kernel/data/tenant-context.ts';
import { canonicalJson } from '../../../kernel/text/canonical-json.ts';
import { firstOf } from '../../../kernel/text/text.ts';
import {
  addressLines,
  isFamilyNameFirst,
  type PostalAddress,
} from '../../../kernel/values/postal-address.ts';
import { ADDRESS_FIELDS, type BuyerDraft, FIELDS, filledFields, ships } from '../../buyer.ts';
import type { SessionRow } from '../../tables.ts';

/** An address that a customer has saved. */
export interface SavedAddress {
  readonly id: string;
  readonly label: string | null;
  readonly isDefault: boolean;
  readonly address: PostalAddress;
}

/** The data with which the page of a signed-in customer is prefilled. */
export interface Shopper {
  /** Null if it is not known, or not to be shown. */
  readonly name: string | null;
  readonly addresses: readonly SavedAddress[];
}

/** Reads a customer. The module that owns them is above this one, so the router passes it in. */
export type ReadShopper = (ctx: TenantDatabase, customerId: number) => Promise<Shopper>;

const NOBODY: Shopper = { name: null, addresses: [] };

/**
 * Returns the customer whom a session's page knows: the cart's, if their own session started the checkout, with
 * addresses if something is shipped. Anyone else who has the URL gets a session without contact data.
 */
export async function shopperOf(
  ctx: TenantDatabase,
  { status, snapshot }: SessionRow,
  read: ReadShopper,
): Promise<Shopper> {
  const { contactShown, customerId } = snapshot;
  if (status !== 'open' || !contactShown || customerId === null) return NOBODY;
  const shopper = await read(ctx, customerId);
  return ships(snapshot) ? shopper : { ...shopper, addresses: [] };
}

const IN_ADDRESS: ReadonlySet<string> = new Set(ADDRESS_FIELDS);

/** Returns the fields of a draft that belong to the shipping address, or the others. */
const fieldsIn = (draft: BuyerDraft, address: boolean): BuyerDraft =>
  Object.fromEntries(Object.entries(draft).filter(([name]) => IN_ADDRESS.has(name) === address));

/** Returns the draft with another shipping address in place of its own. */
export const withAddress = (draft: BuyerDraft, { address }: SavedAddress): BuyerDraft => ({
  ...fieldsIn(draft, false),
  ...filledFields({ ...address }),
});

/** Returns the draft, prefilled with the customer's default address, or else with their name. */
export function withDefaults(draft: BuyerDraft, { name, addresses }: Shopper): BuyerDraft {
  const filled = withDefault(draft, addresses);
  const named = filled.first_name !== undefined || filled.last_name !== undefined;
  return named || name === null ? filled : { ...filled, ...nameFields(name) };
}

/**
 * Returns a name in the form's two fields: its last word is the last name, or its first in a script that begins with it.
 * A single word is the first name.
 */
function nameFields(name: string): BuyerDraft {
  const words = name.trim().split(/\s+/);
  const takeLast = () => (isFamilyNameFirst(name) ? words.shift() : words.pop());
  const last = words.length > 1 ? takeLast() : undefined;
  const cut = (text = '') => firstOf(text, FIELDS.first_name.maxLength);
  return filledFields({ first_name: cut(words.join(' ')), last_name: cut(last) });
}

/** Returns the draft, prefilled with the default address if it has none and is for no other country. */
function withDefault(draft: BuyerDraft, saved: readonly SavedAddress[]): BuyerDraft {
  const standard = saved.find(({ isDefault }) => isDefault);
  const { country, ...entered } = fieldsIn(draft, true);
  if (!standard || Object.keys(entered).length > 0) return draft;
  return country === undefined || country === standard.address.country ? withAddress(draft, standard) : draft;
}

const isChosen = (draft: BuyerDraft, { address }: SavedAddress): boolean =>
  canonicalJson(fieldsIn(draft, true)) === canonicalJson(filledFields({ ...address }));

const lineOf = ({
  address: { first_name, last_name, line1, postal_code, city, country },
}: SavedAddress): string =>
  addressLines({ first_name, last_name, line1, postal_code, city, country }).join(', ');

interface ChoiceProps {
  readonly saved: readonly SavedAddress[];
  readonly draft: BuyerDraft;
}

/**
 * The saved addresses to choose from, above the fields of the page's form. Its first button is hidden: the Enter key
 * presses it, and chooses no address.
 */
export const AddressChoice = ({ saved, draft }: ChoiceProps) =>
  saved.length === 0 ? null : (
    <>
      <button type="submit" name="action" value="update" formnovalidate hidden />
      <fieldset class="saved">
        <legend>Your addresses</legend>
        {saved.map((one) => (
          <label>
            <input type="radio" name="saved_address" value={one.id} checked={isChosen(draft, one)} />
            <span>
              {one.label === null ? null : <strong>{one.label}: </strong>}
              {lineOf(one)}
            </span>
          </label>
        ))}
        <button type="submit" name="action" value="use_address" formnovalidate>
          Use this address
        </button>
      </fieldset>
    </>
  );
