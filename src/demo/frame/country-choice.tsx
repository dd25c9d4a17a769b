import { countries } from '../../kernel/values/countries.ts';
import { Choice, type FormError, type PageRequest } from '../../web/index.ts';

interface CountryChoiceProps {
  readonly f: { readonly request: PageRequest; readonly formError: FormError | null };
  /** The code of the chosen country. */
  readonly value: string | undefined;
}

/** The select of a country, which must be chosen. */
export const CountryChoice = ({ f, value = '' }: CountryChoiceProps) => (
  <Choice
    f={f}
    name="country"
    label="Country"
    value={value}
    required
    options={[['', 'Choose a country'], ...countries().map(({ code, name }) => [code, name] as const)]}
  />
);
