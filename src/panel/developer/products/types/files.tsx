import { z } from 'zod';
import { amountText } from '../../../../kernel/values/money.ts';
import {
  Field,
  type Filled,
  optional,
  type Page,
  price,
  Rows,
  rowsOf,
  wholeNumber,
} from '../../../../web/index.ts';
import type { Values } from '../../../editing/changes.ts';
import { listSection } from '../editor/list-section.tsx';
import { sectionPages } from '../editor/section.tsx';
import { amountIn, type Item } from '../product.tsx';

/** A file of a download, as the form has it: one that is stored is sent without its address. */
interface FileLink {
  readonly id?: number;
  readonly title: string;
  readonly price: number;
  readonly url?: string;
}

const FileRow = z
  .object({
    id: wholeNumber.optional(),
    title: z.string().trim(),
    price: optional(price),
    url: z.string().trim(),
  })
  .transform(
    ({ id, title, price: extra, url }): FileLink => ({
      ...(id !== undefined && { id }),
      title,
      price: extra ?? 0,
      ...(url && { url }),
    }),
  );

/** The rows of files. */
export const fileRows = rowsOf(FileRow, ['title', 'url', 'price']);

const linksOf = ({ links = [] }: Item): FileLink[] =>
  links.map(({ id, title, price: extra = 0 }) => ({ id, title: title.trim(), price: extra }));

interface FileProps {
  readonly f: Filled;
  /** Returns the name of one of the row's fields. */
  readonly at: (part: string) => string;
  /** The stored link; none for a new row. */
  readonly link: FileLink | undefined;
  readonly currency: string;
}

/** The fields of one file. */
const OneFile = ({ f, at, link, currency }: FileProps) => {
  const id = link?.id ?? f.request.sent[at('id')]?.[0];
  return (
    <>
      {id && <input type="hidden" name={at('id')} value={String(id)} />}
      <Field f={f} name={at('title')} label="Title" value={link?.title ?? null} required />
      <Field
        f={f}
        name={at('price')}
        label={`Extra price (${currency})`}
        value={amountText(link?.price, currency)}
        attributes={amountIn(currency)}
      />
      <Field
        f={f}
        name={at('url')}
        label="Address of the file"
        type="url"
        hint={id ? 'Stored. Enter another to replace it' : 'https://…'}
        attributes={{ maxlength: 2_048 }}
      />
    </>
  );
};

/** The fields of a download's files. */
export const FileFields = ({
  f,
  links,
  currency,
}: {
  readonly f: Filled;
  readonly links: readonly FileLink[];
  readonly currency: string;
}) => (
  <Rows
    f={f}
    name="links"
    legend="Files"
    one="file"
    hint="Shoppers get a link to each file that they paid for. The address itself stays secret"
    rows={links}
    counted={['title', 'url', 'price']}
    ordered
  >
    {({ f: row, at, row: link }) => <OneFile f={row} at={at} link={link} currency={currency} />}
  </Rows>
);

const Fields = z.object({ links: fileRows }).transform((values): Values => values);

/** Returns links as a patch: prices in other currencies stay. */
const withPrices = ({ links: stored = [] }: Item, links: readonly FileLink[]) =>
  links.map((link) => {
    const { prices } = stored.find(({ id }) => id === link.id) ?? {};
    return { ...link, ...(prices && { prices }) };
  });

/** The files of a download. */
export const filePages: readonly Page[] = sectionPages(
  listSection({
    path: '/files',
    submit: 'Save files',
    form: Fields,
    key: 'links',
    label: 'Files',
    listOf: linksOf,
    write: (product, links) => ({ links: withPrices(product, links) }),
    fields: ({ f, product }, links) => <FileFields f={f} links={links} currency={product.currency} />,
  }),
);
