import { Field, type Filled, Tick } from '../../../../web/index.ts';
import type { Item } from '../product.tsx';

/** A choice of a bundle: a group of products of which the shopper chooses. */
export type Group = NonNullable<Item['bundle_groups']>[number];
export type GroupItem = Group['items'][number];
/** A group as the list of groups edits it: without its items. */
export type Heading = Pick<Group, 'id' | 'title' | 'required' | 'multiple'>;

/** Returns a bundle's groups. */
export const groupsOf = ({ bundle_groups = [] }: Item): readonly Group[] => bundle_groups;
/** The parameter of the page of a new group. */
export const NEW = 'new';

/** The title of a group, and how many of its products are chosen. */
export const HeadingFields = ({
  f,
  at = (part) => part,
  group,
}: {
  readonly f: Filled;
  at?(part: string): string;
  readonly group: Heading | null | undefined;
}) => (
  <>
    <Field f={f} name={at('title')} label="Title" value={group?.title} required maxlength={255} />
    <Tick f={f} name={at('required')} label="Must be chosen" on={group?.required ?? true} />
    <Tick f={f} name={at('multiple')} label="Several may be chosen" on={group?.multiple ?? false} />
  </>
);

/** Returns new items of a group. */
export const newItems = (ids: readonly number[]) =>
  ids.map((product_id) => ({ product_id, quantity: 1, default: false }));
