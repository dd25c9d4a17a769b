import {
  ActionLink,
  clip,
  type PageRequest,
  Part,
  pageAsked,
  pageAt,
  State,
  Table,
} from '../../../web/index.ts';
import { countOf } from '../../count-of.ts';
import type { CategoryPlace } from '../../pickers/category-picker.tsx';

export const root = '/developer/categories';

/** Rows on one page; a tree of at most as many is shown as a whole. */
const PAGE_SIZE = 15;
/** Longest name in a row, and in the labels of its buttons, in UTF-16 units. */
const MAX_NAME = 40;
const MAX_LABEL = 24;

/** Returns the path of the tree with a category's level and its children shown. */
export const openPath = (id: number): string => `${root}?open=${id}`;

/** Returns the ids of a category and of those above it. */
function lineage(places: readonly CategoryPlace[], id: number): Set<number> {
  const parents = new Map(places.map(({ category }) => [category.id, category.parent_id]));
  const line = new Set<number>();
  for (let at: number | null | undefined = id; at && parents.has(at); at = parents.get(at)) line.add(at);
  return line;
}

/** Returns the rows of the tree: all of a small one; else the roots, and the children of what is open. */
function shownRows(places: readonly CategoryPlace[], open: number): CategoryPlace[] {
  if (places.length <= PAGE_SIZE) return [...places];
  const opened = lineage(places, open);
  return places.filter(({ category: { parent_id } }) => parent_id === null || opened.has(parent_id));
}

/** Returns the siblings of a category, in order. */
export const siblingsOf = (places: readonly CategoryPlace[], parent: number | null) =>
  places.filter(({ category }) => category.parent_id === parent).map(({ category }) => category);

interface TreeProps {
  readonly request: PageRequest;
  readonly places: readonly CategoryPlace[];
}

/** The categories as a tree, in which they can be moved up and down, and dragged with JavaScript. */
export const Tree = ({ request, places }: TreeProps) => {
  const open = Number(request.query('open'));
  const rows = shownRows(places, open);
  const found = rows.findIndex(({ category }) => category.id === open);
  const asked = request.query('page') ? pageAsked(request) : Math.floor(Math.max(0, found) / PAGE_SIZE) + 1;
  const { shown, meta } = pageAt(rows, asked, PAGE_SIZE);
  const isWhole = rows.length === places.length;
  const mayMove = request.may('post', root);
  return (
    <>
      {mayMove && <MovesForm request={request} />}
      <Part name="tree" />
      <div data-tree={mayMove ? 'moves' : undefined}>
        <Table
          label="Categories"
          head={['Name', 'Products', ...(mayMove ? ['Order'] : [])]}
          figures={[1]}
          rows={shown.map((place) => [
            <Name place={place} isWhole={isWhole} />,
            <a
              href={`/developer/products?category_id=${place.category.id}`}
              aria-label={`${countOf(place.category.product_count, 'product')} in ${clip(place.category.name, MAX_LABEL)}`}
            >
              {place.category.product_count}
            </a>,
            ...(mayMove
              ? [<Moves place={place} siblings={siblingsOf(places, place.category.parent_id)} />]
              : []),
          ])}
          empty={
            <p>
              No categories yet.{' '}
              <ActionLink request={request} href={`${root}/new`}>
                Create the first one, such as “Clothing”
              </ActionLink>
            </p>
          }
          pages={{ meta, href: (to) => `${root}?${open ? `open=${open}&` : ''}page=${to}` }}
        />
      </div>
    </>
  );
};

/** The form of the buttons and of what is dragged. */
const MovesForm = ({ request }: { request: PageRequest }) => (
  <form method="post" action={root} id="moves">
    <input type="hidden" name="_token" value={request.token} />
    {['moved', 'target', 'side'].map((name) => (
      <input type="hidden" name={name} value="" />
    ))}
  </form>
);

/** A category's name, indented by its level, with a link to its children where they are not shown. */
const Name = ({ place: { category, depth }, isWhole }: { place: CategoryPlace; isWhole: boolean }) => (
  <span class={`branch level-${depth}`} data-category={category.id}>
    <a href={`${root}/${category.id}`}>{clip(category.name, MAX_NAME)}</a>{' '}
    {category.hidden && <State is="hidden" />}{' '}
    {!isWhole && category.children.length > 0 && (
      <a
        class="hint"
        href={openPath(category.id)}
        aria-label={`Show the children of ${clip(category.name, MAX_LABEL)}`}
      >
        +{category.children.length}
      </a>
    )}
  </span>
);

interface MovesProps {
  readonly place: CategoryPlace;
  readonly siblings: readonly { readonly id: number }[];
}

/** The buttons that move a category among its siblings: before the one above it, or after the one below it. */
const Moves = ({ place: { category }, siblings }: MovesProps) => {
  const at = siblings.findIndex(({ id }) => id === category.id);
  const name = clip(category.name, MAX_LABEL);
  const ways = [
    ['up', '↑', 'before', siblings[at - 1]],
    ['down', '↓', 'after', siblings[at + 1]],
  ] as const;
  return (
    <span class="moves">
      {ways.map(([way, arrow, side, target]) => (
        <button
          type="submit"
          form="moves"
          class="quiet"
          name="step"
          value={`${category.id} ${side} ${target?.id}`}
          aria-label={`Move ${name} ${way}`}
          disabled={!target}
        >
          {arrow}
        </button>
      ))}
    </span>
  );
};
