/**
 * One valid call of each endpoint, from which test/contract/security.test.ts makes the tests that every endpoint
 * passes: tokens, scopes, plans, origins, other tenants' ids, bodies, idempotency keys. An endpoint
 * without a sample fails that test.
 *
 * To add one, put it into `samples.ts` in the module's test folder; it is found by its name:
 *
 *     export const samples: Samples = {
 *       'POST /v1/webhooks': { body: { url: 'https://example.com/hook', events: ['order.paid'] } },
 *       'PATCH /v1/webhooks/{id}': {
 *         params: async (shop) => ({ id: (await shop.post('/webhooks', { … })).body.id }),
 *         body: { status: 'paused' },
 *         foreign: 'webhook_not_found',
 *       },
 *     };
 *
 * A body may be a function where it must name something of the tenant, or be another one each time.
 */
import type { ErrorCode } from '../../../src/kernel/core/errors.ts';
import type { World } from '../world.ts';

/** The values of a path's parameters. */
export type Params = Record<string, string | number>;

/** A valid call of one endpoint. */
export interface Sample {
  /** Creates what the path names in this tenant. Required for paths with parameters. */
  readonly params?: (shop: World) => Promise<Params>;
  /** A query string, where the call needs one: `?q=shirt`. */
  readonly query?: string | ((params: Params) => string);
  /** A body that is accepted; text or bytes where the endpoint takes a stream. */
  readonly body?:
    | object
    | string
    | Uint8Array<ArrayBuffer>
    | ((shop: World, params: Params) => object | Promise<object>);
  /** Further headers of the call, such as a customer's session. */
  readonly headers?: (shop: World, params: Params) => Promise<Record<string, string>>;
  /** The error code for another tenant's id. With `params`. */
  readonly foreign?: ErrorCode;
}

/** Samples by method and path as the endpoint declares them: `PATCH /v1/webhooks/{id}`. */
export type Samples = Readonly<Record<string, Sample>>;

declare global {
  interface ImportMeta {
    /** Vite puts the modules that match here (https://vite.dev/guide/features#glob-import). */
    glob<Module>(pattern: string, options: { eager: true }): Record<string, Module>;
  }
}

const samplesByFile = import.meta.glob<{ samples: Samples }>('../../*/samples.ts', { eager: true });

/** The samples of every module. */
export const samples: Samples = Object.assign(
  {},
  ...Object.values(samplesByFile).map((file) => file.samples),
);

/** Returns whether the sample of this name is of one of these modules, or there is none to choose by. */
export const isSampleOf = (modules: readonly string[], name: string): boolean =>
  modules.length === 0 ||
  modules.some((module) => name in (samplesByFile[`../../${module}/samples.ts`]?.samples ?? {}));
