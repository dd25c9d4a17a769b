/** Largest quantity of a cart line, and of a member of a group or bundle. */
export const MAX_LINE_QUANTITY = 9_999;
