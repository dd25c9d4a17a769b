/** Returns a stub of the cart's Durable Object. */
export const cartObject = (env: Env, tenantId: number, cartId: string) =>
  env.CART.getByName(`${tenantId}:${cartId}`);
export type CartObject = ReturnType<typeof cartObject>;
