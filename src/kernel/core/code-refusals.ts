/** Why a promotion's code does not apply to a cart, in errors and in the cart itself: which of its conditions fails. */
export const CODE_REFUSALS = [
  'no_eligible_line',
  'below_minimum_subtotal',
  'below_minimum_quantity',
  'currency',
  'not_started',
  'ended',
  'used_up_by_customer',
  'not_first_order',
] as const;
