export { consumeRelistings, type RelistMessage, resumeRelistings } from './categories/relisting.ts';
export {
  type CategoryName,
  createMissingCategories,
  listCategoryNames,
  type MissingCategory,
  STATEMENTS_PER_CATEGORY,
} from './categories/store.ts';
export { type CatalogContext, catalogContext } from './context.ts';
export { espressoHits, espressoUpdated } from './examples/products.ts';
export { cheapestPrices } from './products/apply-patch.ts';
export { forgetProducts } from './products/forget.ts';
export { loadBySlugs, type StoredProduct } from './products/load-product.ts';
export { violatedPrecondition } from './products/preconditions.ts';
export type { ProductState, VariantState } from './products/product-state.ts';
export { assignIds, type ProductDraft, writeStatements } from './products/save-product.ts';
export { Product, ProductList, ProductListItem, ProductUpdated, SearchText } from './products/schemas.ts';
export { changesForSearch, notifySearch, resumeIndexing, type SearchSlice } from './reads/search-changes.ts';
export { type SearchSource, searchSourcesAfter } from './reads/search-source.ts';
export {
  readSellableViews,
  type SellableProduct,
  type SellableView,
  type SellableViews,
  sellableView,
} from './reads/sellable-view.ts';
export type { Prices } from './tables.ts';
