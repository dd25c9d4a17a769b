/** How an operation is called; generated for each. */
export interface Operation {
  readonly method: string;
  /** The path with parameters: `/v1/products/{id}`. */
  readonly path: string;
  /** The inputs that go into the query; absent on a call without a body, where all do that the path doesn't take. */
  readonly query?: readonly string[];
  /** The media types that `input.body` may have, the default first; absent for JSON. */
  readonly mediaTypes?: readonly [string, ...string[]];
  /** Takes `cart_token`, in its query or body. */
  readonly takesCart?: true;
  /** Takes the customer's session in `X-Customer-Token`. */
  readonly takesCustomer?: true;
  /** Responds with a `cart_token`: that of the cart of the call, or of the customer (with `token` on a sign-in). */
  readonly returnsSession?: 'cart' | 'customer';
  /** Ends the customer's session. */
  readonly endsSession?: true;
  /**
   * Responds with a list: the parameter of its next page ("" without pages), and the largest page. A live list
   * has a next page always; an empty one is the last for now.
   */
  readonly list?: { readonly page: string; readonly limit?: number; readonly live?: true };
}

/** What a stream operation takes. A Blob's `type` counts where the operation takes several. */
export type Upload = string | Blob | ArrayBuffer;
