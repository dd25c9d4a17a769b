import { z } from 'zod';
import { canonicalJson } from '../../../../kernel/text/canonical-json.ts';
import {
  asFormError,
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
import type { Values } from '../../../editing/changes.ts';
import { isAsShown } from '../../../editing/save-edit.tsx';
import { pickedIds } from '../../../pickers/choices.tsx';
import type { ProductPart } from '../editor/save-section.ts';
import { type Section, saveValues, sectionPages } from '../editor/section.tsx';
import { fieldInSlice, SliceFields, SlicePages, sliced, sliceFor, withSlice } from '../editor/slices.tsx';
import { type Item, root } from '../product.tsx';
import { type Group, type GroupItem, groupsOf, HeadingFields, NEW, newItems } from './group-fields.tsx';
import { AddMembers, loadMembers, MemberName, type Members } from './member-fields.tsx';

const ItemRow = z.object({
  id: wholeNumber,
  product_id: wholeNumber,
  quantity: wholeNumber,
  default: checked,
});

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
      title: title ?? '',
      items: [...items, ...newItems(add)],
    }),
  );

/** Returns the request's group; null for a new one, or one that is gone. */
const groupFor = (request: PageRequest, product: Item): Group | null =>
  groupsOf(product).find(({ id }) => String(id) === request.param('group')) ?? null;

/** The groups that the product had when the form was shown; the form doesn't edit them. */
const SHOWN_GROUPS: ProductPart = {
  key: 'groups',
  label: 'Choices',
  of: (product) => groupsOf(product).map(({ id }) => id),
};

const groupParts = (request: PageRequest): readonly ProductPart[] => {
  const part = (key: string, label: string, of: (group: Group) => unknown): ProductPart => ({
    key,
    label,
    of: (product) => {
      const group = groupFor(request, product);
      return group && of(group);
    },
  });
  return [
    SHOWN_GROUPS,
    part('title', 'Title', ({ title }) => title.trim()),
    part('required', 'Must be chosen', ({ required }) => required),
    part('multiple', 'Several may be chosen', ({ multiple }) => multiple),
    part('items', 'Products', ({ items }) => sliced(items, sliceFor(request))),
  ];
};

/** Returns whether the form of a new group was sent before: the last group is like it, and came after it was shown. */
function wasAdded(product: Item, added: Values, request: PageRequest): boolean {
  const last = groupsOf(product).at(-1);
  if (!last || isAsShown(request, SHOWN_GROUPS, product)) return false;
  const { id: _, ...group } = last;
  return (
    canonicalJson({ ...group, items: group.items.map(({ id: _, ...item }) => item) }) === canonicalJson(added)
  );
}

/** Returns all groups with the changed one, or with a new one at the end. */
function groupPatch(product: Item, changed: Values, request: PageRequest) {
  const before = groupFor(request, product);
  if (!before && wasAdded(product, changed, request)) return { bundle_groups: groupsOf(product) };
  // The form's schema made the items of rows.
  const rows = changed.items as GroupItem[] | undefined;
  const items = before && rows ? withSlice(before.items, sliceFor(request), rows) : (rows ?? before?.items);
  const group = { ...before, ...changed, items };
  const groups = groupsOf(product);
  return { bundle_groups: before ? groups.map((one) => (one === before ? group : one)) : [...groups, group] };
}

const groupSection: Section<typeof GroupForm, Members> = {
  path: '/choices/:group',
  tab: '/choices',
  submit: 'Save choice',
  form: GroupForm,
  missing: (request, product) =>
    request.param('group') === NEW || groupFor(request, product)
      ? null
      : asFormError('This choice was removed.', 404),
  load: loadMembers,
  parts: groupParts,
  patch: groupPatch,
  save: async (request, values) => {
    const saved = await saveValues(groupSection, request, values);
    const isNew = request.param('group') === NEW;
    return isNew && 'to' in saved ? { ...saved, to: saved.to.slice(0, -NEW.length - 1) } : saved;
  },
  fieldOf: (path, request) => {
    const field = path.replace(/^bundle_groups\.\d+\.items$/, 'add').replace(/^bundle_groups\.\d+\./, '');
    return fieldInSlice(field, 'items', sliceFor(request));
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
        value={item?.quantity}
        required
        attributes={{ min: 1 }}
      />
      <Tick f={f} name={at('default')} label="Chosen at first" on={item?.default ?? false} />
    </>
  );
};

/** The page of one choice of a bundle, with its products. */
export const groupPages: readonly Page[] = sectionPages(groupSection);
