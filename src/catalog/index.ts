export { BulkChange, BulkResult, MAX_BULK_PRODUCTS } from './bulk/schemas.ts';
export {
  createMissingCategories,
  type MissingCategory,
  STATEMENTS_PER_CATEGORY,
} from './categories/create-category.ts';
export { Category, CategoryTree, CategoryUpdated } from './categories/schemas.ts';
export {
  type CategoryName,
  categoriesShowing,
  categoryNamesAbove,
  listCategoryNames,
} from './categories/store.ts';
export { refuseLongNames } from './categories/text-limit.ts';
export { type CatalogContext, catalogContext } from './context.ts';
export { clothingRenamed } from './examples/categories.ts';
export { espressoHits, espressoUpdated } from './examples/products.ts';
export { ATTRIBUTE_FILTERS } from './filters/filter-query.ts';
export type { TextExpression, TextField, TextQuery, WordMatch } from './filters/text-query.ts';
export { heldLength } from './held-length.ts';
export { rankBestSellers } from './indexing/best-sellers.ts';
export { consumeRelistings, type RelistMessage, resumeRelistings } from './indexing/relisting.ts';
export {
  changesForSearch,
  resumeIndexing,
} from './indexing/search-changes.ts';
export { MAX_LARGE_PRODUCTS, type SearchSource, searchSourcesAfter } from './indexing/search-source.ts';
export {
  entireName,
  nameLength,
  PLACE_STRIDE,
  productAt,
  searchPlace,
  searchWords,
  skuWord,
} from './indexing/search-words.ts';
export {
  MAX_ALT_LENGTH,
  MAX_ATTRIBUTE_NAME_LENGTH,
  MAX_ATTRIBUTE_VALUE_LENGTH,
  MAX_BARCODE_LENGTH,
  MAX_CATEGORY_LEVELS,
  MAX_DESCRIPTION_LENGTH,
  MAX_IMAGES,
  MAX_NAME_LENGTH,
  MAX_SEO_DESCRIPTION_LENGTH,
  MAX_SEO_TITLE_LENGTH,
  MAX_SLUG_LENGTH,
  MAX_TAG_LENGTH,
  MAX_TAGS,
  MAX_VARIANTS,
  MAX_VENDOR_LENGTH,
  MAX_WEIGHT,
} from './limits.ts';
export { forgetListChanges } from './list-index/changes/forget-changes.ts';
export { ListIndex } from './list-index/list-index.ts';
export { LowStock } from './low-stock/schemas.ts';
export { describedProducts } from './picture-uses/described-products.ts';
export { PictureUses } from './picture-uses/schemas.ts';
export { imageList } from './products/image-list.ts';
export { isFreeLink } from './products/links.ts';
export {
  fittingSlugs,
  loadBySlugs,
  loadProductsAfter,
  type StoredProduct,
  storedSlugs,
} from './products/load-product.ts';
export type { ProductState, VariantState } from './products/product-state.ts';
export { ProductListQuery, ProductSearchQuery, productPages } from './products/query-schemas.ts';
export { Product, ProductList, ProductListItem, ProductUpdated, Variant } from './products/schemas.ts';
export { alignOptionNames, optionKey, optionsOf } from './products/variant-options.ts';
export {
  browseProducts,
  shopperCategories,
  shopperProduct,
  shopperProducts,
} from './reads/for-shoppers.ts';
export { isPlainSearch, listHits, listMatching, type SearchListQuery } from './reads/list-hits.ts';
export { type FittingRow, fittingPage, foundRows, isSmall, MAX_PAGE_BYTES } from './reads/page-rows.ts';
export { picturesOf } from './reads/pictures.ts';
export { cheapestPrices } from './sales/displayed-prices.ts';
export { forgetPrices } from './sales/price-history.ts';
export { SaleSchedule } from './sales/sale-schedule.ts';
export { resumeSales } from './sales/switch-sales.ts';
export { type FoundViews, findSellableViews } from './sellable/find-sellable.ts';
export {
  readSellableViews,
  type SellableProduct,
  type SellableView,
  type SellableViews,
  sellableView,
} from './sellable/sellable-view.ts';
export { PRODUCT_TYPES, type Prices, type ProductType } from './tables.ts';
export { forgetProducts } from './writes/delete-product.ts';
export { preconditionsOf, violatedPrecondition } from './writes/preconditions.ts';
export type { ProductWrite } from './writes/product-rows.ts';
export { hasEffect, itemsAdded, leavesOversold, writeStatements } from './writes/product-statements.ts';
export { assignIds, type ProductDraft } from './writes/save-product.ts';
export { MAX_PRODUCT_BYTES, tooLargeIn } from './writes/size-limit.ts';
