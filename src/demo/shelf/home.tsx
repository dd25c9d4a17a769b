import type { Schemas } from '../../../client/src/index.ts';
import { getPage, type Outcome, type Page, type PageRequest, type View } from '../../web/index.ts';
import { attempt } from '../frame/attempt.ts';
import { shopOf } from '../frame/session.ts';
import { type ShopFrame, shopFrame, trailTo } from '../frame/shop-frame.ts';
import { conjunction } from '../frame/titled.ts';
import { Cards, type ListItem, Picture } from './card.tsx';

type Category = Schemas['Category'];

const SECTION_SIZE = 8;
/** Sections with products; each is a read. */
const MAX_LISTS = 3;
const MAX_TILES = 8;
const HERO_PICTURES = 3;

/** The names that themes give to sections of the home page, and what each shows. */
const KNOWN: ReadonlyMap<string, 'hero' | 'categories' | 'newest' | 'best_selling'> = new Map([
  ['hero', 'hero'],
  ['categories', 'categories'],
  ...['new', 'new_arrivals', 'newest'].map((name) => [name, 'newest'] as const),
  ...['featured', 'best_sellers', 'bestsellers'].map((name) => [name, 'best_selling'] as const),
]);

/** A section with products: what it lists, and where all of it is. */
interface ListSection {
  readonly kind: 'list';
  readonly title: string;
  readonly href: string;
  readonly query: { readonly sort: 'newest' | 'best_selling'; readonly category_id?: number };
}
type Section = { readonly kind: 'hero' | 'categories' } | ListSection;

const isList = (section: Section): section is ListSection => section.kind === 'list';

const LISTS = {
  newest: { title: 'New in the shop', href: '/demo/products' },
  best_selling: { title: 'Best sellers', href: '/demo/products?sort=best_selling' },
} as const;

/** Returns the section that a theme names. A category's slug is a section of its products; other names are unknown. */
function sectionOf(name: string, tree: readonly Category[]): Section | null {
  const key = name.toLowerCase().replaceAll('-', '_');
  const known = KNOWN.get(key);
  if (known === 'hero' || known === 'categories') return { kind: known };
  if (known) return { kind: 'list', ...LISTS[known], query: { sort: known } };
  const category = trailTo(key.replaceAll('_', '-'), tree).at(-1);
  if (!category) return null;
  const { id, slug } = category;
  return {
    kind: 'list',
    title: category.name,
    href: `/demo/categories/${slug}`,
    query: { sort: 'newest', category_id: id },
  };
}

/** Returns the sections to show, in the theme's order. A shop without a list of products gets one. */
function sectionsOf({ theme, tree }: ShopFrame): Section[] {
  let lists = 0;
  const wanted = theme?.homepage_sections ?? [];
  const sections = wanted
    .flatMap((name) => sectionOf(name, tree) ?? [])
    .filter(({ kind }) => kind !== 'list' || ++lists <= MAX_LISTS);
  const newest: Section = { kind: 'list', ...LISTS.newest, query: { sort: 'newest' } };
  return lists > 0 ? sections : [...sections, newest];
}

/** Returns the products that have a picture, then those without one. */
const picturedFirst = (products: readonly ListItem[]): readonly ListItem[] =>
  products.toSorted((a, b) => Math.min(1, b.media.length) - Math.min(1, a.media.length));

const Hero = ({ frame: { theme, tree }, products }: { frame: ShopFrame; products: readonly ListItem[] }) => (
  <section class="hero">
    <div>
      <h1 dir="auto">{theme?.shop_name ?? 'Demo shop'}</h1>
      {tree.length > 0 && (
        <p class="lead" dir="auto">
          {conjunction(tree.slice(0, HERO_PICTURES + 1).map(({ name }) => name))}, chosen with care.
        </p>
      )}
      <p>
        <a class="button" href="/demo/products">
          Shop all products
        </a>
      </p>
    </div>
    <div class="collage" aria-hidden="true">
      {picturedFirst(products)
        .slice(0, HERO_PICTURES)
        .map(({ media }) => (
          <Picture of={media[0]} alt="" size={240} eager />
        ))}
    </div>
  </section>
);

const Tiles = ({ of: tree }: { of: readonly Category[] }) =>
  tree.length > 0 ? (
    <section aria-labelledby="categories">
      <h2 id="categories">Shop by category</h2>
      <ul class="tiles">
        {tree.slice(0, MAX_TILES).map(({ slug, name, product_count: count }) => (
          <li>
            <a href={`/demo/categories/${slug}`}>
              <span dir="auto">{name}</span>
              <span class="soft">
                {count} {count === 1 ? 'product' : 'products'}
                <span aria-hidden="true"> →</span>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  ) : null;

const Products = ({ section, products }: { section: ListSection; products: readonly ListItem[] }) =>
  products.length > 0 ? (
    <section>
      <div class="between">
        <h2 dir="auto">{section.title}</h2>
        <a href={section.href}>
          See all<span class="hidden">: {section.title}</span>
        </a>
      </div>
      <Cards of={products} />
    </section>
  ) : null;

/** Returns the products of each section, read at once. */
async function readSections(request: PageRequest, sections: readonly Section[]) {
  const { products } = shopOf(request);
  const lists = sections.filter(isList);
  const found = await Promise.all(
    lists.map(({ query }) => attempt(products.list({ ...query, limit: SECTION_SIZE }))),
  );
  return new Map(lists.map((section, at) => [section, found[at]] as const));
}

const home = async (request: PageRequest): Promise<View | Outcome> => {
  const frame = await shopFrame(request);
  const sections = sectionsOf(frame);
  const read = await readSections(request, sections);
  const [failed] = [...read.values()].filter((list) => list?.ok === false);
  if (failed?.ok === false) return failed;
  const productsOf = (section: Section) => {
    const list = isList(section) ? read.get(section) : undefined;
    return list?.ok ? list.value.data : [];
  };
  const first = sections.map(productsOf).find((products) => products.length > 0) ?? [];
  const body = (
    <>
      {!sections.some(({ kind }) => kind === 'hero') && <h1 class="hidden">{frame.theme?.shop_name}</h1>}
      {sections.map((section) => {
        if (section.kind === 'hero') return <Hero frame={frame} products={first} />;
        if (isList(section)) return <Products section={section} products={productsOf(section)} />;
        return <Tiles of={frame.tree} />;
      })}
      {first.length === 0 && <p class="empty">This shop has no products yet.</p>}
    </>
  );
  return { title: 'Home', ownHeading: true, body };
};

/** The home page: the sections of the theme, in its order. */
export const homePage: Page = getPage({ path: '/demo', audience: 'anyone' }, home);
