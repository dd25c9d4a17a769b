import { type Area, areaOf, type Link, type PageRequest, startOf } from './page.ts';

/** Entries of the navigation below a title; the first group of an area has none. */
interface Group {
  readonly title?: string;
  readonly items: readonly Link[];
}

/** The navigation of each area. A page's owner lists it here when the page exists. */
const GROUPS: Readonly<Record<Area, readonly Group[]>> = {
  site: [],
  admin: [
    {
      items: [
        ['/admin', 'Tenants'],
        ['/admin/health', 'Health'],
        ['/admin/audit-log', 'Audit log'],
        ['/admin/design', 'Design'],
      ],
    },
  ],
  developer: [
    { items: [['/developer', 'Overview']] },
    {
      title: 'Catalogue',
      items: [
        ['/developer/products', 'Products'],
        ['/developer/categories', 'Categories'],
        ['/developer/media', 'Media'],
        ['/developer/imports', 'Imports'],
      ],
    },
    {
      title: 'Selling',
      items: [
        ['/developer/orders', 'Orders'],
        ['/developer/customers', 'Customers'],
        ['/developer/promotions', 'Promotions'],
      ],
    },
    {
      title: 'Channels',
      items: [
        ['/developer/theme', 'Theme'],
        ['/developer/feeds', 'Product feeds'],
      ],
    },
    {
      title: 'Developers',
      items: [
        ['/developer/quick-start', 'Quick start'],
        ['/developer/applications', 'Applications'],
        ['/developer/request-log', 'Request log'],
        ['/developer/webhooks', 'Webhooks'],
      ],
    },
    {
      title: 'Shop',
      items: [
        ['/developer/settings', 'Settings'],
        ['/developer/people', 'People'],
        ['/developer/audit-log', 'Audit log'],
      ],
    },
  ],
  // The shop's documents have a navigation of their own.
  demo: [],
};

/** The page that searches everything of a shop. */
export const SEARCH_PATH = '/developer/search';

/** The search above the developer panel's navigation. */
export const PanelSearch = ({ path }: { path: string }) =>
  areaOf(path) === 'developer' ? (
    <search>
      <form action={SEARCH_PATH}>
        <input name="q" type="search" aria-label="Search" placeholder="Search" />
      </form>
    </search>
  ) : null;

/** Returns every entry of the area of a path. */
const itemsOf = (path: string): readonly Link[] => GROUPS[areaOf(path)].flatMap(({ items }) => items);

/** Returns whether `href` is the entry of a path: the longest entry that the path starts with. */
function isHere(path: string, href: string, items: readonly Link[]): boolean {
  const below = (base: string) => path === base || path.startsWith(`${base}/`);
  if (path.startsWith('/admin/tenants')) return href === '/admin';
  // The user's own account and the search are below the start page's path, and no part of the overview.
  if (path.startsWith('/developer/account') || path === SEARCH_PATH) return false;
  return below(href) && !items.some(([other]) => other.length > href.length && below(other));
}

/** Returns the navigation page above a path, or the start page of its area. */
export function pageAbove(path: string): string {
  const start = startOf(areaOf(path));
  const item = itemsOf(path).find(([href]) => href !== start && `${path}/`.startsWith(`${href}/`));
  return item?.[0] ?? start;
}

/** The navigation of a path's area, with the path's entry marked, and without pages that the user may not open. */
export const Navigation = ({ path, may }: { path: string; may: PageRequest['may'] }) => {
  // "/new-promotion" belongs to the entry of "/promotions".
  const here = path.replace(/\/new-(\w+)$/, '/$1s');
  const all = itemsOf(path);
  const groups = GROUPS[areaOf(path)]
    .map(({ title, items }) => ({ title, items: items.filter(([href]) => may('get', href)) }))
    .filter(({ items }) => items.length > 0);
  return (
    <nav aria-label="Main">
      {groups.map(({ title, items }) => (
        <>
          {title && <p>{title}</p>}
          <ul>
            {items.map(([href, label]) => (
              <li>
                <a href={href} aria-current={isHere(here, href, all) ? 'page' : undefined}>
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </>
      ))}
    </nav>
  );
};
