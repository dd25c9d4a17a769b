import { ApiError, type ErrorCode, type Failure, isApiError } from './errors.ts';
import type { CallOptions } from './method.ts';
import type { Operation } from './operation.ts';
import type { ClientOptions, Session } from './options.ts';
import { type List, nextPage } from './pages.ts';
import { type AnyInput, requestParts } from './request.ts';
import { endOf, type Received, retryAfterSeconds, send } from './transport.ts';

/** The codes after which a token of the session is of no use. */
const LOST: Partial<Record<ErrorCode, keyof Session>> = {
  cart_not_found: 'cartToken',
  cart_expired: 'cartToken',
  invalid_customer_token: 'customerToken',
};

/** Makes calls and keeps the state between them: the session, the catalogue version, ETags. */
export class Caller {
  session: Session;
  private readonly options: ClientOptions;
  /** The newest catalogue version that a write of this client made. */
  private catalogVersion = 0;
  private readonly etags = new WeakMap<object, string>();
  /** The session's cart as last returned. */
  private cart: object | null = null;
  /** The call that makes the session's cart. */
  private cartCreation: Promise<unknown> | null = null;

  constructor(options: ClientOptions) {
    this.options = options;
    this.session = { cartToken: null, customerToken: null, ...options.session };
  }

  setSession(change: Partial<Session>): void {
    const next = { ...this.session, ...change };
    const { cartToken, customerToken } = this.session;
    if (next.cartToken !== cartToken) this.cart = null;
    if (next.cartToken === cartToken && next.customerToken === customerToken) return;
    this.session = next;
    this.options.onSession?.(next);
  }

  /** Iterates over a list, page after page. */
  async *each(
    operation: Operation,
    input: AnyInput = {},
    options: CallOptions = {},
  ): AsyncGenerator<unknown> {
    const { page = '', limit, live = false } = operation.list ?? {};
    let next: AnyInput | null = { ...(limit && { limit }), ...input };
    while (next) {
      // A list's body, by its schema.
      const body = (await this.call(operation, next, options)) as List;
      yield* body.data;
      const to = live && body.data.length === 0 ? null : nextPage(page, body);
      next = to === null ? null : { ...next, [page]: to };
    }
  }

  async call(operation: Operation, input: AnyInput = {}, options: CallOptions = {}): Promise<unknown> {
    const takesCart = operation.takesCart || operation.path.includes('{cart_token}');
    // Two first additions at once would make two carts.
    while (takesCart && this.cartCreation) await endOf(this.cartCreation, options.signal);
    const given = takesCart && input.cart_token === undefined ? this.session.cartToken : null;
    const completed = given ? { ...input, cart_token: given } : input;
    const isSignIn = operation.method === 'POST' && operation.returnsSession === 'customer';
    const result =
      given && isSignIn
        ? this.signIn(operation, completed, options)
        : this.request(operation, completed, options);
    const mayCreate = operation.method === 'POST' && operation.returnsSession && !completed.cart_token;
    if (!mayCreate) return result;
    const creation = result.finally(() => {
      if (this.cartCreation === creation) this.cartCreation = null;
    });
    this.cartCreation = creation;
    return creation;
  }

  /** Signs in with the session's cart, or without it if it is gone or another customer's. */
  private async signIn(operation: Operation, input: AnyInput, options: CallOptions): Promise<unknown> {
    try {
      return await this.request(operation, input, options);
    } catch (error) {
      if (!isApiError(error, 'cart_not_found', 'cart_expired')) throw error;
      // The other body needs another key.
      const { idempotencyKey: _, ...rest } = options;
      return this.request(operation, { ...input, cart_token: undefined }, rest);
    }
  }

  private async request(operation: Operation, input: AnyInput, options: CallOptions): Promise<unknown> {
    const { baseUrl, fetch = globalThis.fetch, ...defaults } = this.options;
    const { target, body, type } = requestParts(operation, input);
    const sent = this.session;
    const received = await send(
      {
        url: baseUrl.replace(/\/+$/, '') + target,
        method: operation.method,
        headers: this.headers(operation, options, body === null ? null : type),
        body,
      },
      {
        // Called as a plain function: browsers refuse `fetch` as a method of anything else.
        fetch: (url, init) => fetch(url, init),
        retries: options.retries ?? defaults.retries ?? 2,
        timeoutMs: options.timeoutMs ?? defaults.timeoutMs ?? 15_000,
        maxRetryAfterMs: 1000 * (defaults.maxRetryAfterSeconds ?? 20),
        signal: options.signal,
      },
    );
    const isOwnCart = input.cart_token == null || input.cart_token === sent.cartToken;
    const used = { ...sent, ...(!isOwnCart && { cartToken: '' }) };
    if (received.status >= 400) throw this.failed(received, used);
    // A cart that was left meanwhile, or merged into another by a sign-in, doesn't come back.
    const isCurrent = isOwnCart && sent.cartToken === this.session.cartToken;
    const result = this.succeeded(operation, received, isCurrent);
    // A session that began meanwhile goes on.
    const isEnded = operation.endsSession && sent.customerToken === this.session.customerToken;
    if (isEnded) this.setSession({ cartToken: null, customerToken: null });
    return result;
  }

  private headers(
    operation: Operation,
    { idempotencyKey, ifMatch }: CallOptions,
    type: string | null,
  ): Record<string, string> {
    const { token, buyerIp } = this.options;
    const { customerToken } = this.session;
    const etag = ifMatch && this.etagOf(ifMatch);
    return {
      Accept: 'application/json',
      Authorization: `Bearer ${token}`,
      ...(type && { 'Content-Type': type }),
      ...(operation.method === 'POST' && { 'Idempotency-Key': idempotencyKey ?? newKey() }),
      ...(etag && { 'If-Match': etag }),
      ...(this.catalogVersion > 0 && { 'X-Catalog-Version': String(this.catalogVersion) }),
      ...(operation.takesCustomer && customerToken && { 'X-Customer-Token': customerToken }),
      ...(buyerIp && { 'X-Buyer-IP': buyerIp }),
    };
  }

  private etagOf(ifMatch: object | string | true): string {
    if (typeof ifMatch === 'string') return ifMatch;
    const etag = this.etags.get(ifMatch === true ? (this.cart ?? {}) : ifMatch);
    if (!etag) throw new TypeError('ifMatch: the client has not read this object with an ETag');
    return etag;
  }

  private succeeded(operation: Operation, { status, headers, text }: Received, isCurrent: boolean): unknown {
    if (operation.method !== 'GET') {
      this.catalogVersion = Math.max(this.catalogVersion, Number(headers.get('x-catalog-version')));
    }
    if (status === 204) return undefined;
    const body: unknown = parse(text, status);
    if (typeof body !== 'object' || body === null) return body;
    const etag = headers.get('etag');
    if (etag) this.etags.set(body, etag);
    const { returnsSession } = operation;
    if (returnsSession === 'customer' || (returnsSession && isCurrent)) this.keepSession(body, etag);
    return body;
  }

  private keepSession(body: { cart_token?: unknown; token?: unknown }, etag: string | null): void {
    const { cart_token: cartToken, token } = body;
    const isToken = typeof cartToken === 'string' || cartToken === null;
    this.setSession({
      ...(isToken && { cartToken }),
      ...(typeof token === 'string' && { customerToken: token }),
    });
    if (etag && cartToken === this.session.cartToken) this.cart = body;
  }

  private failed({ status, headers, text }: Received, used: Session): ApiError {
    const error = errorOf(text, status, retryAfterSeconds(headers));
    // A code of a newer service is not in the table.
    const lost = LOST[error.code as ErrorCode];
    // Another cart's loss, or a newer token of a call meanwhile, changes nothing.
    if (lost && used[lost] === this.session[lost]) this.setSession({ [lost]: null });
    return error;
  }
}

function parse(text: string, status: number): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw invalidResponse(text, status, cause);
  }
}

/** Returns the error for a response of something else, such as a proxy or a service at a wrong base URL. */
const invalidResponse = (text: string, status: number, cause?: unknown): ApiError =>
  new ApiError({
    code: 'invalid_response',
    message: `This is not a response of this API: ${text.slice(0, 200)}`,
    status,
    cause,
  });

/** Returns the error of a response body. */
function errorOf(text: string, status: number, retryAfter: number | undefined): ApiError {
  // With a code it is the API's, whose schema says what else it has.
  const failure = parse(text, status) as Failure | null;
  if (typeof failure?.code !== 'string') return invalidResponse(text, status);
  return new ApiError({
    ...failure,
    status,
    ...(retryAfter !== undefined && { retryAfterSeconds: retryAfter }),
  });
}

/** Returns a new Idempotency-Key. React Native has no `crypto.randomUUID`. */
const newKey = (): string =>
  typeof crypto === 'object' && 'randomUUID' in crypto
    ? crypto.randomUUID()
    : `${Date.now()}-${Math.random()}-${Math.random()}`;
