/** Declarations shared by the endpoints of the Cart API. */

/** The errors of a cart that can't be found, edited or filled. */
export const readErrors = ['cart_not_found', 'cart_expired'] as const;
export const editErrors = [...readErrors, 'precondition_failed', 'cart_locked'] as const;
export const stockErrors = ['insufficient_stock', 'slot_unavailable'] as const;

/** The request header of every call that prices a cart. */
export const pricingHeaders = {
  'X-Catalog-Version': 'Prices the cart at this catalogue version or a newer one.',
};

/** The request headers of an edit. */
export const editHeaders = {
  'If-Match': 'Changes the cart only if it still has this `ETag`.',
  ...pricingHeaders,
};
