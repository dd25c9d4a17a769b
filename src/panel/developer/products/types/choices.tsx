import { z } from 'zod';
import { checked, type Page, Rows, rowsOf, wholeNumber } from '../../../../web/index.ts';
import { countOf } from '../../../count-of.ts';
import type { Values } from '../../../editing/changes.ts';
import { listSection } from '../editor/list-section.tsx';
import { sectionPages } from '../editor/section.tsx';
import { root } from '../product.tsx';
import { groupPages } from './group.tsx';
import { type Group, groupsOf, type Heading, HeadingFields, NEW } from './group-fields.tsx';

const headingOf = ({ id, title, required, multiple }: Group): Heading => ({
  id,
  title: title.trim(),
  required,
  multiple,
});

const HeadingRow = z.object({
  id: wholeNumber,
  title: z.string().trim(),
  required: checked,
  multiple: checked,
});

/** The groups of a bundle: titles, order, and links to their products. */
const listPages = sectionPages(
  listSection({
    path: '/choices',
    submit: 'Save choices',
    key: 'bundle_groups',
    label: 'Choices',
    form: z
      .object({ bundle_groups: rowsOf(HeadingRow, ['id', 'title']) })
      .transform((values): Values => values),
    listOf: (product) => groupsOf(product).map(headingOf),
    write: (product, headings) => ({
      bundle_groups: headings.map((heading) => ({
        ...heading,
        items: groupsOf(product).find(({ id }) => id === heading.id)?.items ?? [],
      })),
    }),
    fields: ({ f, product }, headings) => (
      <>
        <Rows
          f={f}
          name="bundle_groups"
          legend="Choices"
          one="choice"
          hint="Each choice is a part of the bundle, such as the lens of a camera set"
          rows={headings}
          counted={['id', 'title']}
          spare={0}
          ordered
          full
        >
          {({ f: row, at, row: heading }) => {
            const id = heading?.id ?? Number(row.request.sent[at('id')]?.[0]);
            const count = groupsOf(product).find((group) => group.id === id)?.items.length ?? 0;
            return (
              <>
                <input type="hidden" name={at('id')} value={String(id)} />
                <HeadingFields f={row} at={at} group={heading} />
                <a href={`${root}/${product.id}/choices/${id}`}>{countOf(count, 'product')}</a>
              </>
            );
          }}
        </Rows>
        <p>
          <a href={`${root}/${product.id}/choices/${NEW}`}>Add a choice</a>
        </p>
      </>
    ),
  }),
);

/** The choices of a bundle: the list, and the page of each. */
export const choicePages: readonly Page[] = [...listPages, ...groupPages];
