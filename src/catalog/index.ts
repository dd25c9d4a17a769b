export { type CartView, type CartViews, cartView, readCartViews, type ViewedProduct } from './cart-view.ts';
export { createMissingCategory, listCategories } from './categories.ts';
export { cheapest } from './desire.ts';
export { presentListItem } from './present.ts';
export { refusedBy } from './references.ts';
export {
  commit,
  numbered,
  type Saved,
  type Shop,
  save,
  saveChange,
  statementsOf,
  type Wish,
} from './save.ts';
export { Product, ProductList, ProductListItem, ProductUpdated, SearchText } from './schemas.ts';
export {
  type CategoriesChanged,
  type Searchable,
  searchablesAfter,
  searchablesById,
} from './searchable.ts';
export type { ProductState, VariantState } from './state.ts';
export { loadBySlugs, loadProduct, type Stored } from './stored.ts';
export { PRODUCT_TYPES, type Prices, type ProductType } from './tables.ts';
