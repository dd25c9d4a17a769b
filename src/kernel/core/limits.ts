/** The most lines of a cart, and so of an order. */
export const MAX_LINES = 100;
/** Largest quantity of a cart line, and of a member of a group or bundle. */
export const MAX_LINE_QUANTITY = 9_999;
