import type { Child } from 'hono/jsx';
import { countryName } from '../../kernel/core/countries.ts';
import type { PostalAddress } from '../../kernel/core/postal-address.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { canonicalJson } from '../../kernel/text/canonical-json.ts';
import { type BuyerDraft, type Field, filledFields, ships } from '../buyer.ts';
import type { SessionRow } from '../tables.ts';

/** An address that a customer has saved. */
export interface SavedAddress {
  readonly id: string;
  readonly label: string | null;
  readonly isDefault: boolean;
  readonly address: PostalAddress;
}

/** Reads the addresses of a customer. The module that owns them is above this one, so the router passes it in. */
export type SavedAddresses = (ctx: TenantDatabase, customerId: number) => Promise<readonly SavedAddress[]>;

/**
 * Returns the addresses that a session's page offers: those of the cart's customer, if their own session started
 * the checkout and something is shipped. Anyone else who has the URL gets a session without contact data.
 */
export async function offeredAddresses(
  ctx: TenantDatabase,
  { status, snapshot }: SessionRow,
  read: SavedAddresses,
): Promise<readonly SavedAddress[]> {
  const { contactShown, customerId } = snapshot;
  if (status !== 'open' || !contactShown || customerId === null || !ships(snapshot)) return [];
  return read(ctx, customerId);
}

/** The fields of the form that make up the shipping address. */
const ADDRESS_FIELDS: ReadonlySet<string> = new Set<Field>([
  ...(['first_name', 'last_name', 'company', 'line1', 'line2', 'postal_code', 'city'] as const),
  ...(['region', 'country', 'phone'] as const),
]);

/** Returns the fields of a draft that belong to the shipping address, or the others. */
const fieldsIn = (draft: BuyerDraft, address: boolean): BuyerDraft =>
  Object.fromEntries(Object.entries(draft).filter(([name]) => ADDRESS_FIELDS.has(name) === address));

/** Returns the draft with another shipping address in place of its own. */
export const withAddress = (draft: BuyerDraft, { address }: SavedAddress): BuyerDraft => ({
  ...fieldsIn(draft, false),
  ...filledFields({ ...address }),
});

/** Returns the draft, prefilled with the default address if it has none and is for no other country. */
export function withDefault(draft: BuyerDraft, saved: readonly SavedAddress[]): BuyerDraft {
  const standard = saved.find(({ isDefault }) => isDefault);
  const { country, ...entered } = fieldsIn(draft, true);
  if (!standard || Object.keys(entered).length > 0) return draft;
  return country === undefined || country === standard.address.country ? withAddress(draft, standard) : draft;
}

const isChosen = (draft: BuyerDraft, { address }: SavedAddress): boolean =>
  canonicalJson(fieldsIn(draft, true)) === canonicalJson(filledFields({ ...address }));

const lineOf = ({ address }: SavedAddress): string =>
  [
    [address.first_name, address.last_name],
    [address.line1],
    [address.postal_code, address.city],
    [countryName(address.country)],
  ]
    .map((parts) => parts.filter(Boolean).join(' '))
    .filter(Boolean)
    .join(', ');

interface ChoiceProps {
  readonly saved: readonly SavedAddress[];
  readonly draft: BuyerDraft;
  /** The page's form. */
  readonly children: Child;
}

/**
 * Puts the saved addresses to choose from above the page's form. They are a form of their own, so that the Enter
 * key in the other one doesn't press its button.
 */
export const AddressChoice = ({ saved, draft, children }: ChoiceProps) => (
  <div class="entry">
    {saved.length === 0 ? null : (
      <form method="post">
        <fieldset class="saved">
          <legend>Your addresses</legend>
          {saved.map((one) => (
            <label>
              <input
                type="radio"
                name="saved_address"
                value={one.id}
                required
                checked={isChosen(draft, one)}
              />
              <span>
                {one.label === null ? null : <strong>{one.label}: </strong>}
                {lineOf(one)}
              </span>
            </label>
          ))}
          <button type="submit" name="action" value="use_address">
            Use this address
          </button>
        </fieldset>
      </form>
    )}
    {children}
  </div>
);
