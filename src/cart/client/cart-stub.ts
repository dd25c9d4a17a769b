/** The object of a cart. */
export const cartObject = (env: Env, tenantId: number, cartId: string) =>
  env.CART.getByName(`${tenantId}:${cartId}`);
export type CartObject = ReturnType<typeof cartObject>;
