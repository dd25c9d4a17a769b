export { type CartView, type CartViews, cartView, readCartViews, type ViewedProduct } from './cart-view.ts';
export {
  type CategoryName,
  createMissingCategories,
  listCategoryNames,
  type MissingCategory,
  STATEMENTS_PER_CATEGORY,
} from './categories.ts';
export { cheapest } from './desire.ts';
export { forgetProducts } from './forget.ts';
export { refusedBy } from './references.ts';
export { consumeRelistings, type RelistMessage, resumeRelistings } from './relisting.ts';
export { numbered, type Shop, statementsOf, type Wish } from './save.ts';
export { Product, ProductList, ProductListItem, ProductUpdated, SearchText } from './schemas.ts';
export { changesForSearch, type SearchSlice, tellSearch, wakeSearch } from './search-changes.ts';
export { type Searchable, searchablesAfter } from './searchable.ts';
export type { ProductState, VariantState } from './state.ts';
export { loadBySlugs, type Stored } from './stored.ts';
export type { Prices } from './tables.ts';
