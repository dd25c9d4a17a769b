import type { listPages } from '../kernel/core/pagination.ts';
import { ok, type Result } from '../kernel/core/result.ts';
import type { Call } from '../kernel/http/context.ts';
import { setHeaders } from '../kernel/http/response.ts';
import type { Currencies } from '../kernel/values/money.ts';
import type { PromotionFilter } from './schemas.ts';
import {
  changePromotion,
  createPromotion,
  deletePromotion,
  listPromotions,
  type PromotionView,
  promotionById,
  type Written,
} from './store.ts';
import type { PromotionRow } from './tables.ts';
import type { PromotionFields } from './validation/validation.ts';

/** A resource of the API that shows promotions: promotions themselves, or coupons. */
interface PromotionResource<Input, Answer> {
  readonly view: PromotionView;
  readonly pages: ReturnType<typeof listPages<number>>;
  /** Merges input into a new or existing promotion and validates it. */
  readonly fieldsOf: (
    before: PromotionRow | null,
    input: Input,
    money: Currencies,
  ) => Result<PromotionFields>;
  readonly present: (row: PromotionRow) => Answer;
}

type Params = { readonly id: number };
type Query = Parameters<PromotionResource<never, never>['pages']['pageOf']>[0] & PromotionFilter;

/** Returns the handlers of a resource's endpoints. After a write, `X-Catalog-Version` has its version. */
export function promotionHandlers<Input, Answer>(resource: PromotionResource<Input, Answer>) {
  const { view, pages, fieldsOf, present } = resource;
  const written = ({ c }: Call<unknown, unknown, unknown>, result: Result<Written>): Result<Answer> => {
    if (!result.ok) return result;
    const { row, version } = result.value;
    setHeaders(c, { 'X-Catalog-Version': String(version) });
    return ok(present(row));
  };
  return {
    async list(call: Call<undefined, Query, undefined>) {
      const page = pages.pageOf(call.query);
      const { trigger, standing, q } = call.query;
      const { rows, total } = await listPromotions(call, view, { ...page, trigger, standing, q });
      const shown = pages.cut(rows, page, { total, key: ({ id }) => id, carriesTotal: true });
      return ok({ data: shown.rows.map(present), meta: shown.meta });
    },
    async get(call: Call<Params, undefined, undefined>): Promise<Result<Answer>> {
      const found = await promotionById(call, view, call.params.id);
      return found.ok ? ok(present(found.value)) : found;
    },
    async create(call: Call<undefined, undefined, Input>): Promise<Result<Answer>> {
      const { caller, body, once } = call;
      const fields = fieldsOf(null, body, caller);
      if (!fields.ok) return fields;
      return written(call, await createPromotion(call, view, { fields: fields.value, once }));
    },
    async patch(call: Call<Params, undefined, Input>): Promise<Result<Answer>> {
      const { caller, body, params } = call;
      const before = await promotionById(call, view, params.id);
      if (!before.ok) return before;
      const fields = fieldsOf(before.value, body, caller);
      if (!fields.ok) return fields;
      const change = { before: before.value, fields: fields.value };
      return written(call, await changePromotion(call, view, change));
    },
    async remove(call: Call<Params, undefined, undefined>): Promise<Result<undefined>> {
      const deleted = await deletePromotion(call, view, call.params.id);
      if (!deleted.ok) return deleted;
      setHeaders(call.c, { 'X-Catalog-Version': String(deleted.value) });
      return ok(undefined);
    },
  };
}
