import { raw } from 'hono/html';
import { z } from 'zod';
import { fold } from '../../kernel/text/fold.ts';
import { countries, countryName, isCountry } from '../../kernel/values/countries.ts';
import { describedBy, Field, type Filled, Hints, isSent, labelled, list, Part } from '../../web/index.ts';

/** The id of the list of countries that all country fields of a page share. */
const LIST = 'countries';

let options: string | null = null;

/** The names that country fields suggest. A page with country fields has it once, at its end. */
export const CountryNames = () => {
  // Without end tags, which HTML allows: the list is on every page with a country. Names have no character to escape.
  options ??= countries()
    .map(({ name }) => `<option>${name.replace('&', '&amp;')}`)
    .join('');
  return <datalist id={LIST}>{raw(options)}</datalist>;
};

let codes: ReadonlyMap<string, string> | null = null;

/** Returns the code of a country's name or code, without regard to case and accents; null for anything else. */
function countryCode(text: string): string | null {
  codes ??= new Map(countries().map(({ code, name }) => [fold(name), code]));
  const code = text.trim().toUpperCase();
  return isCountry(code) ? code : (codes.get(fold(text.trim())) ?? null);
}

const NOT_A_COUNTRY = 'must be a country, such as Germany or DE';

/** The code of a country that was chosen by its name or typed as its code. */
export const pickedCountry = z.string().transform((text, context): string => {
  const code = countryCode(text);
  if (code !== null) return code;
  context.addIssue({ code: 'custom', message: NOT_A_COUNTRY });
  return z.NEVER;
});

/** The codes of several countries, each once: those ticked, and names or codes separated by commas. */
export const pickedCountries = list.transform((values, context): string[] => {
  const texts = values.flatMap((value) => value.split(',')).filter((text) => text.trim() !== '');
  const found = texts.map(countryCode);
  const wrong = texts.filter((_, at) => found[at] === null);
  for (const text of wrong) {
    context.addIssue({ code: 'custom', message: `“${text.trim().slice(0, 40)}” is not a country` });
  }
  return [...new Set(found.filter((code) => code !== null))];
});

interface CountryProps {
  readonly f: Filled;
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly required?: boolean;
}

/** A field for one country, chosen by its name; read it with {@link pickedCountry}. Needs {@link CountryNames}. */
export const CountryField = ({
  value,
  ...props
}: CountryProps & { readonly value?: string | null | undefined }) => (
  <Field
    {...props}
    value={value ? countryName(value) : ''}
    attributes={{ list: LIST, autocomplete: 'off', maxlength: 60 }}
  />
);

/** A field for several countries; read it with {@link pickedCountries}. Needs {@link CountryNames}. */
export const CountriesField = ({
  f,
  name,
  label,
  hint,
  value,
}: CountryProps & { readonly value: readonly string[] }) => {
  const texts = isSent(f.request) ? (f.request.sent[name] ?? []).flatMap((text) => text.split(',')) : value;
  const chosen = new Set(texts.map(countryCode).filter((code) => code !== null));
  const typed = texts.filter((text) => countryCode(text) === null).join(',');
  const id = labelled({ f, name, label });
  return (
    <fieldset class="picker" id={id} aria-describedby={describedBy({ f, name, hint })}>
      <legend>{label}</legend>
      <Hints f={f} name={name} hint={hint} />
      <div class="chosen">
        {[...chosen].map((code) => (
          <label>
            <input type="checkbox" name={name} value={code} checked />
            <span>{countryName(code)}</span>
          </label>
        ))}
      </div>
      <p class="find">
        <input
          name={name}
          list={LIST}
          value={typed || undefined}
          aria-label={`Add to ${label}`}
          placeholder="Add a country"
          autocomplete="off"
          data-add
        />
      </p>
      <Part name="pickers" />
    </fieldset>
  );
};
