import { html } from 'hono/html';
import { countries } from '../../../kernel/values/countries.ts';
import { BILLING_FIELD_NAMES, BILLING_FIELDS, hasBilling } from '../../billing.ts';
import { type BuyerDraft, NOTE } from '../../buyer.ts';

interface InputProps {
  readonly name: string;
  readonly label: string;
  /** The HTML autofill token. */
  readonly autocomplete: string;
  /** In characters. */
  readonly maxLength: number;
  readonly value: string | undefined;
  readonly error: string | undefined;
  readonly required?: boolean;
  readonly focus?: boolean;
}

const Wrong = ({ name, error }: Pick<InputProps, 'name' | 'error'>) =>
  error === undefined ? null : (
    <p class="wrong" id={`${name}-wrong`}>
      {error}
    </p>
  );

const ariaOf = ({ name, error }: Pick<InputProps, 'name' | 'error'>) =>
  error === undefined ? {} : { 'aria-invalid': 'true' as const, 'aria-describedby': `${name}-wrong` };

const WIDE = /^(?:billing_)?(?:email|company|line1|line2|country)$/;

/** The types of fields that are no text. */
const TYPES: Readonly<Record<string, 'email' | 'tel'>> = { email: 'email', phone: 'tel' };

/** Returns the option of a country. Its end tag is optional in HTML: 250 of them are 2 KiB. */
const countryOption = ({ code, name }: { readonly code: string; readonly name: string }, chosen?: string) =>
  code === chosen ? html`<option value="${code}" selected="">${name}` : html`<option value="${code}">${name}`;

/** Returns what the label of a field says that may stay empty. */
const optionalText = (name: string): string => (name === 'last_name' ? 'if you have one' : 'optional');

/** A text field with its label and error, or the select of a country. */
export const Input = ({ name, label, autocomplete, maxLength, value, error, ...more }: InputProps) => {
  const { required = false, focus = false } = more;
  // Whether there is a postal code depends on the country, which the browser doesn't know.
  const insists = required && name !== 'postal_code';
  const state = { required: insists, autofocus: focus, ...ariaOf({ name, error }) };
  const common = { id: name, name, autocomplete, ...state };
  const { [name]: type } = TYPES;
  return (
    <div class={WIDE.test(name) ? 'wide' : undefined}>
      <label for={name}>
        {label} {required ? null : <span>({optionalText(name)})</span>}
      </label>
      {name.endsWith('country') ? (
        <select {...common}>
          <option value="">Choose a country</option>
          {countries().map((country) => countryOption(country, value))}
        </select>
      ) : (
        // The page has many fields and at most 30 KiB: what would be the default is left out.
        <input
          {...common}
          type={type}
          dir={type ? undefined : 'auto'}
          maxlength={maxLength}
          value={value || undefined}
        />
      )}
      <Wrong name={name} error={error} />
    </div>
  );
};

interface BillingProps {
  /** Whether the shopper asked for the fields. */
  readonly open: boolean;
  readonly draft: BuyerDraft;
  readonly errors: Readonly<Record<string, string[]>>;
}

/** The fields of the billing address; while it is the address above, the button that shows them. */
export const Billing = ({ open, draft, errors }: BillingProps) =>
  open || hasBilling(draft) ? (
    <fieldset>
      <legend>Billing address</legend>
      <p class="soft">Leave it empty to be billed at the address above.</p>
      <div class="fields">
        {BILLING_FIELD_NAMES.map((field) => (
          <Input {...BILLING_FIELDS[field]} name={field} value={draft[field]} error={errors[field]?.[0]} />
        ))}
      </div>
    </fieldset>
  ) : (
    <p>
      <button type="submit" class="quiet" name="action" value="billing" formnovalidate>
        Use a different billing address
      </button>
    </p>
  );

/** The shopper's message to the shop. */
export const Note = ({ value, error }: Pick<InputProps, 'value' | 'error'>) => (
  <div class="message">
    <label for="note">
      {NOTE.label} <span>(optional)</span>
    </label>
    <textarea
      id="note"
      name="note"
      rows={3}
      autocomplete={NOTE.autocomplete}
      maxlength={NOTE.maxLength}
      {...ariaOf({ name: 'note', error })}
      dir="auto"
    >
      {value ?? ''}
    </textarea>
    <Wrong name="note" error={error} />
  </div>
);
