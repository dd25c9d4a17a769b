import type { Schemas } from '../../../client/src/index.ts';
import { attempt } from './attempt.ts';
import { type ShopRequest, shopOf } from './session.ts';

type Theme = Schemas['ThemeOptions'];
type Category = Schemas['Category'];

/** What every page shows around its content. */
export interface ShopFrame {
  /** Null when it can't be read. */
  readonly theme: Theme | null;
  /** The category tree. */
  readonly tree: readonly Category[];
}

const frames = new WeakMap<ShopRequest, Promise<ShopFrame>>();

async function readFrame(request: ShopRequest): Promise<ShopFrame> {
  const { theme, categories } = shopOf(request);
  const [options, tree] = await Promise.all([attempt(theme.getOptions()), attempt(categories.getTree())]);
  return {
    theme: options.ok ? options.value : null,
    tree: tree.ok ? tree.value.data : [],
  };
}

/** Returns the theme and categories of a page's shop: two cached reads, made once and beside the page's own. */
export function shopFrame(request: ShopRequest): Promise<ShopFrame> {
  const frame = frames.get(request) ?? readFrame(request);
  frames.set(request, frame);
  return frame;
}

/** Returns the path from the root of the tree to a category, or an empty one. */
export function trailTo(slug: string, tree: readonly Category[]): Category[] {
  for (const category of tree) {
    const below = category.slug === slug ? [] : trailTo(slug, category.children);
    if (category.slug === slug || below.length > 0) return [category, ...below];
  }
  return [];
}
