import { z } from 'zod';
import {
  checked,
  Field,
  type Filled,
  optionalText,
  type Page,
  type PageRequest,
  Rows,
  rowsOf,
  Tick,
  wholeNumber,
} from '../../../../web/index.ts';
import { pickedIds } from '../../../pickers/choices.tsx';
import type { Part, Values } from '../changes.ts';
import { listSection, saveList } from '../list-section.tsx';
import { type Item, root } from '../product.tsx';
import { type Section, sectionPages } from '../section.tsx';
import { SliceFields, SlicePages, sliced, sliceFor, withSlice } from '../slices.tsx';
import { AddMembers, loadMembers, MemberName, type Members } from './member-fields.tsx';

type Group = NonNullable<Item['bundle_groups']>[number];
type GroupItem = Group['items'][number];
/** A group as the list of groups edits it: without its items. */
type Heading = Pick<Group, 'id' | 'title' | 'required' | 'multiple'>;

const groupsOf = ({ bundle_groups = [] }: Item): readonly Group[] => bundle_groups;
const headingOf = ({ id, title, required, multiple }: Group): Heading => ({
  ...{ id, title: title.trim(), required, multiple },
});

/** The parameter of the page of a new group. */
const NEW = 'new';

const HeadingRow = z.object({
  id: wholeNumber,
  title: z.string().trim(),
  required: checked,
  multiple: checked,
});

/** The title of a group, and how many of its products are chosen. */
export const HeadingFields = ({
  f,
  at = (part) => part,
  group,
}: {
  readonly f: Filled;
  at?(part: string): string;
  readonly group: Heading | null;
}) => (
  <>
    <Field
      f={f}
      name={at('title')}
      label="Title"
      value={group?.title ?? null}
      required
      attributes={{ maxlength: 255 }}
    />
    <Tick f={f} name={at('required')} label="Must be chosen" on={group?.required ?? true} />
    <Tick f={f} name={at('multiple')} label="Several may be chosen" on={group?.multiple ?? false} />
  </>
);

/** The groups of a bundle: titles, order, and links to their products. */
const listPages = sectionPages(
  listSection({
    ...{ path: '/choices', submit: 'Save choices', key: 'bundle_groups', label: 'Choices' },
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
                <HeadingFields f={row} at={at} group={heading ?? null} />
                <a href={`${root}/${product.id}/choices/${id}`}>
                  {count} {count === 1 ? 'product' : 'products'}
                </a>
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

const ItemRow = z.object({
  id: wholeNumber,
  product_id: wholeNumber,
  quantity: wholeNumber,
  default: checked,
});

/** Returns new items of a group. */
export const newItems = (ids: readonly number[]) =>
  ids.map((product_id) => ({ product_id, quantity: 1, default: false }));

const GroupForm = z
  .object({
    title: optionalText,
    required: checked,
    multiple: checked,
    items: rowsOf(ItemRow, ['product_id']),
    add: pickedIds,
  })
  .transform(
    ({ add, items, title, ...choice }): Values => ({
      ...choice,
      ...{ title: title ?? '', items: [...items, ...newItems(add)] },
    }),
  );

/** Returns the request's group; null for a new one, or one that is gone. */
const groupFor = (request: PageRequest, product: Item): Group | null =>
  groupsOf(product).find(({ id }) => String(id) === request.param('group')) ?? null;

const groupParts = (request: PageRequest): readonly Part[] => {
  const part = (key: string, label: string, of: (group: Group) => unknown): Part => ({
    ...{ key, label },
    of: (product) => {
      const group = groupFor(request, product);
      return group && of(group);
    },
  });
  return [
    part('title', 'Title', ({ title }) => title.trim()),
    part('required', 'Must be chosen', ({ required }) => required),
    part('multiple', 'Several may be chosen', ({ multiple }) => multiple),
    part('items', 'Products', ({ items }) => sliced(items, sliceFor(request))),
  ];
};

/** Returns all groups with the changed one, or with a new one at the end. */
function groupPatch(product: Item, changed: Values, request: PageRequest) {
  const before = groupFor(request, product);
  // The form's schema made the items of rows.
  const rows = changed.items as GroupItem[] | undefined;
  const items = before && rows ? withSlice(before.items, sliceFor(request), rows) : (rows ?? before?.items);
  const group = { ...before, ...changed, items };
  const groups = groupsOf(product);
  return { bundle_groups: before ? groups.map((one) => (one === before ? group : one)) : [...groups, group] };
}

const groupSection: Section<typeof GroupForm, Members> = {
  ...{ path: '/choices/:group', tab: '/choices', submit: 'Save choice', form: GroupForm },
  load: loadMembers,
  parts: groupParts,
  patch: groupPatch,
  save: async (request, values) => {
    const saved = await saveList(groupSection, 'items', { request, values });
    if ('to' in saved) {
      const isNew = request.param('group') === NEW;
      return isNew ? { ...saved, to: saved.to.slice(0, -NEW.length - 1) } : saved;
    }
    if (!('trouble' in saved)) return saved;
    const errors = Object.entries(saved.trouble.errors).map(([path, messages]) => [
      path.replace(/^bundle_groups\.\d+\.items$/, 'add').replace(/^bundle_groups\.\d+\./, ''),
      messages,
    ]);
    return { ...saved, trouble: { ...saved.trouble, errors: Object.fromEntries(errors) } };
  },
  fields: ({ f, product, extra }) => {
    const group = groupFor(f.request, product);
    const slice = sliceFor(f.request);
    return (
      <>
        <SliceFields slice={slice} />
        <HeadingFields f={f} group={group} />
        <Rows
          f={f}
          name="items"
          legend="Products to choose from"
          one="product"
          rows={sliced(group?.items ?? [], slice)}
          counted={['product_id']}
          spare={0}
          ordered
          full
        >
          {({ f: row, at, row: item }) => <ItemFields f={row} at={at} item={item} names={extra.names} />}
        </Rows>
        <AddMembers f={f} choices={extra.choices} />
      </>
    );
  },
  below: ({ f, product }) => (
    <SlicePages
      total={groupFor(f.request, product)?.items.length ?? 0}
      slice={sliceFor(f.request)}
      here={`${root}/${product.id}/choices/${encodeURIComponent(f.request.param('group'))}`}
    />
  ),
};

interface ItemProps {
  readonly f: Filled;
  at(part: string): string;
  readonly item: GroupItem | undefined;
  readonly names: Members['names'];
}

const ItemFields = ({ f, at, item, names }: ItemProps) => {
  const sent = (part: string) => Number(f.request.sent[at(part)]?.[0]);
  return (
    <>
      <input type="hidden" name={at('id')} value={String(item?.id ?? sent('id'))} />
      <MemberName name={at('product_id')} id={item?.product_id ?? sent('product_id')} names={names} />
      <Field
        f={f}
        name={at('quantity')}
        label="Pieces"
        type="number"
        value={item?.quantity ?? null}
        required
        attributes={{ min: 1 }}
      />
      <Tick f={f} name={at('default')} label="Chosen at first" on={item?.default ?? false} />
    </>
  );
};

/** The choices of a bundle. */
export const choicePages: readonly Page[] = [...listPages, ...sectionPages(groupSection)];
