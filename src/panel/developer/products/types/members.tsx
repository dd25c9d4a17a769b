import { z } from 'zod';
import { Field, type Page, Rows, rowsOf, wholeNumber } from '../../../../web/index.ts';
import type { Values } from '../../../editing/changes.ts';
import { pickedIds } from '../../../pickers/choices.tsx';
import { listSection } from '../editor/list-section.tsx';
import { sectionPages } from '../editor/section.tsx';
import type { Item } from '../product.tsx';
import { AddMembers, loadMembers, MemberName } from './member-fields.tsx';

type Member = NonNullable<Item['grouped']>[number];

const membersOf = ({ grouped = [] }: Item): readonly Member[] => grouped;

/** Returns new members of a group. */
export const newMembers = (ids: readonly number[]): Member[] =>
  ids.map((product_id) => ({ product_id, default_quantity: 1 }));

const Fields = z
  .object({
    grouped: rowsOf(z.object({ product_id: wholeNumber, default_quantity: wholeNumber })),
    add: pickedIds,
  })
  .transform(({ grouped, add }): Values => {
    const known = new Set(grouped.map(({ product_id }) => product_id));
    return { grouped: [...grouped, ...newMembers(add.filter((id) => !known.has(id)))] };
  });

/** The members of a grouped product. */
export const memberPages: readonly Page[] = sectionPages(
  listSection({
    path: '/members',
    submit: 'Save products',
    form: Fields,
    key: 'grouped',
    label: 'Products',
    listOf: membersOf,
    load: loadMembers,
    fields: ({ f, extra }, members) => (
      <>
        <Rows
          f={f}
          name="grouped"
          legend="Products of the group"
          one="product"
          rows={members}
          spare={0}
          ordered
          full
        >
          {({ f: row, at, row: member }) => {
            const id = member?.product_id ?? Number(row.request.sent[at('product_id')]?.[0]);
            return (
              <>
                <MemberName name={at('product_id')} id={id} names={extra.names} />
                <Field
                  f={row}
                  name={at('default_quantity')}
                  label="Quantity at first"
                  type="number"
                  value={member?.default_quantity}
                  required
                  attributes={{ min: 0 }}
                />
              </>
            );
          }}
        </Rows>
        <AddMembers f={f} choices={extra.choices} />
      </>
    ),
  }),
);
