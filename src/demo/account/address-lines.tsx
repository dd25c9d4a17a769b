import type { Schemas } from '../../../client/src/index.ts';
import { countryName } from '../../kernel/values/countries.ts';
import { clip } from '../../web/index.ts';

type Address = NonNullable<Schemas['CustomerOrder']['addresses']['shipping']>;

const MAX_LINE_LENGTH = 60;

/** Returns the lines of an address as on an envelope; those without content are left out. */
export const linesOf = (one: Address): string[] =>
  [
    `${one.first_name ?? ''} ${one.last_name ?? ''}`,
    one.company ?? '',
    one.line1 ?? '',
    one.line2 ?? '',
    `${one.postal_code ?? ''} ${one.city ?? ''}`,
    one.region ?? '',
    countryName(one.country),
  ]
    .map((line) => clip(line.trim(), MAX_LINE_LENGTH))
    .filter((line) => line !== '');

/** A postal address. Each line has the direction of its script: in Arabic, a city would stand before its postal code. */
export const AddressLines = ({ of: address }: { of: Address }) => (
  <address>
    {linesOf(address).map((line) => (
      <>
        <bdi>{line}</bdi>
        <br />
      </>
    ))}
  </address>
);
