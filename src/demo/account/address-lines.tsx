import type { Schemas } from '../../../client/src/index.ts';
import { addressLines } from '../../kernel/values/postal-address.ts';
import { clip } from '../../web/index.ts';

type Address = NonNullable<Schemas['CustomerOrder']['addresses']['shipping']>;

const MAX_LINE_LENGTH = 60;

/** Returns the lines of an address, each clipped. */
export const linesOf = (one: Address): string[] =>
  addressLines(one).map((line) => clip(line, MAX_LINE_LENGTH));

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
