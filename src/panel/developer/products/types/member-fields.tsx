import { ProductList } from '../../../../catalog/index.ts';
import { type Answer, allAnswers, clip, type Filled, type PageRequest } from '../../../../web/index.ts';
import type { FoundChoices } from '../../../pickers/found-picker.tsx';
import { loadProducts, ProductPicker } from '../../../pickers/product-picker.tsx';

/** The types of products that a group or bundle may contain. */
const MEMBER_TYPES = ['simple', 'virtual'] as const;

/** The name of the field with products to be added. */
const ADD = 'add';

/** Returns what the picker of members shows. */
export const loadPicker = (request: PageRequest): Promise<Answer<FoundChoices>> =>
  loadProducts(request, { name: ADD, types: MEMBER_TYPES });

/** The names of members by id, and what the picker shows. */
export interface Members {
  readonly names: ReadonlyMap<number, string>;
  readonly choices: FoundChoices;
}

/** Loads the names of a product's members and the picker for further ones, in one round trip. */
export async function loadMembers(request: PageRequest): Promise<Answer<Members>> {
  const id = encodeURIComponent(request.param('id'));
  const read = await allAnswers({
    members: request.api({ path: `/v1/products?member_of=${id}&status=all`, answer: ProductList }),
    choices: loadPicker(request),
  });
  if (!read.ok) return read;
  const { members, choices } = read.value;
  return { ok: true, value: { names: new Map(members.data.map(({ id, name }) => [id, name])), choices } };
}

/** Longest name of a member, in UTF-16 units. */
const MAX_NAME = 60;

/** The name of a member with a link to it, and its id as a hidden field. */
export const MemberName = ({ name, id, names }: { name: string; id: number; names: Members['names'] }) => (
  <p class="field">
    <input type="hidden" name={name} value={String(id)} />
    <a href={`/developer/products/${id}`}>{clip(names.get(id) ?? `Product ${id}`, MAX_NAME)}</a>
  </p>
);

/** The picker of products to be added. */
export const AddMembers = ({ f, choices }: { f: Filled; choices: FoundChoices }) => (
  <ProductPicker
    f={f}
    name={ADD}
    legend="Add products"
    hint="Simple and virtual products. Search, tick and save"
    products={choices}
    stored={[]}
  />
);
