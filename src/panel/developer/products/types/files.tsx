import { z } from 'zod';
import { amountText } from '../../../../kernel/values/money.ts';
import {
  AmountFields,
  amountField,
  Field,
  type Filled,
  optional,
  type Page,
  price,
  Rows,
  rowsOf,
  wholeNumber,
  withAmounts,
} from '../../../../web/index.ts';
import type { Values } from '../../../editing/changes.ts';
import { listSection } from '../editor/list-section.tsx';
import { sectionPages } from '../editor/section.tsx';
import { explainedAmount, type Item } from '../product.tsx';
import { inCurrencies } from '../sections/general-form.ts';

/** A file of a download, as the form has it: one that is stored is sent without its address. */
interface FileLink {
  readonly id?: number;
  readonly title: string;
  readonly price: number;
  /** The prices in the tenant's other currencies. */
  readonly prices: Readonly<Record<string, number>>;
  readonly url?: string;
}

const FileFieldsSent = z.object({
  id: wholeNumber.optional(),
  title: z.string().trim(),
  price: optional(price),
  prices: amountField.byCurrency,
  url: z.string().trim(),
});

const FileRow = withAmounts(FileFieldsSent, ['prices']).transform(
  ({ id, title, price: extra, prices, url }): FileLink => ({
    ...(id !== undefined && { id }),
    title,
    price: extra ?? 0,
    prices,
    ...(url && { url }),
  }),
);

/** The parts of a file's row that make it count. */
const FILE_PARTS = ['title', 'url', 'price', 'prices'] as const;

/** The rows of files. */
export const fileRows = rowsOf(FileRow, FILE_PARTS);

const linksOf = ({ links = [] }: Item, currencies: readonly string[]): FileLink[] =>
  links.map(({ id, title, price: extra = 0, prices }) => ({
    id,
    title: title.trim(),
    price: extra,
    prices: inCurrencies(prices, currencies),
  }));

interface FileProps {
  readonly f: Filled;
  /** Returns the name of one of the row's fields. */
  readonly at: (part: string) => string;
  /** The stored link; none for a new row. */
  readonly link: FileLink | undefined;
  /** The tenant's currencies, the main one first. */
  readonly currencies: readonly string[];
}

const OneFile = ({ f, at, link, currencies: [main = '', ...others] }: FileProps) => {
  const id = link?.id ?? f.request.sent[at('id')]?.[0];
  return (
    <>
      {id && <input type="hidden" name={at('id')} value={String(id)} />}
      <Field f={f} name={at('title')} label="Title" value={link?.title} required />
      <Field
        f={f}
        name={at('price')}
        label={`Extra price (${main})`}
        value={amountText(link?.price, main)}
        attributes={explainedAmount(main)}
      />
      {others.length > 0 && (
        <AmountFields
          f={f}
          name={at('prices')}
          label="Extra price"
          currencies={others}
          value={link?.prices}
        />
      )}
      <Field
        f={f}
        name={at('url')}
        label="Address of the file"
        type="url"
        hint={id ? 'Stored. Enter another to replace it' : 'https://…'}
        maxlength={2_048}
      />
    </>
  );
};

const LINKED =
  'Shoppers get a link to each file that they paid for. It leads to this address, which they then see';
const PRICED = 'A file with a price is sold in the currencies in which it has one, and a free one in all';

/** The fields of a download's files. */
export const FileFields = ({
  f,
  links,
  currencies,
}: {
  readonly f: Filled;
  readonly links: readonly FileLink[];
  readonly currencies: readonly string[];
}) => (
  <Rows
    f={f}
    name="links"
    legend="Files"
    one="file"
    hint={currencies.length > 1 ? `${LINKED}. ${PRICED}` : LINKED}
    rows={links}
    counted={FILE_PARTS}
    ordered
  >
    {({ f: row, at, row: link }) => <OneFile f={row} at={at} link={link} currencies={currencies} />}
  </Rows>
);

const Fields = z.object({ links: fileRows }).transform((values): Values => values);

/** Returns links as a patch: prices in currencies that the tenant no longer sells in stay. */
const withPrices = (
  { links: stored = [] }: Item,
  links: readonly FileLink[],
  currencies: readonly string[],
) =>
  links.map((link) => {
    const { prices = {} } = stored.find(({ id }) => id === link.id) ?? {};
    const kept = Object.entries(prices).filter(([currency]) => !currencies.includes(currency));
    return { ...link, prices: { ...Object.fromEntries(kept), ...link.prices } };
  });

/** Files on a page where each has prices in several currencies, so that it stays within the size of a page. */
const PRICED_ROWS = 3;

/** The files of a download. */
export const filePages: readonly Page[] = sectionPages(
  listSection({
    path: '/files',
    submit: 'Save files',
    form: Fields,
    key: 'links',
    label: 'Files',
    rowsOnPage: ({ tenant }) => (tenant.currencies.length > 1 ? PRICED_ROWS : undefined),
    listOf: (product, { tenant }) => linksOf(product, tenant.currencies),
    write: (product, links, { request }) => ({
      links: withPrices(product, links, request.tenant.currencies),
    }),
    fields: ({ f, tenant }, links) => <FileFields f={f} links={links} currencies={tenant.currencies} />,
  }),
);
