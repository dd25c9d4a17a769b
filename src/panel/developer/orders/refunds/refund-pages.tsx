import { z } from 'zod';
import { fieldErrors } from '../../../../kernel/http/problem.ts';
import { formatMoney } from '../../../../kernel/values/money.ts';
import { previewRefund, RefundCreate, type RefundPreview } from '../../../../orders/index.ts';
import {
  type Answer,
  allAnswers,
  amountProblem,
  asFormError,
  Field,
  type FormError,
  formPages,
  type Outcome,
  optionalText,
  type Page,
  type PageRequest,
  pageAsked,
  postOnce,
  type View,
  wasPosted,
} from '../../../../web/index.ts';
import { confirmPages, HiddenValues, type Question } from '../../../confirm.tsx';
import { tenantDatabase } from '../../../tenant-database.ts';
import { root } from '../list/order-filters.tsx';
import { loadOrder, orderPath, orderTrail } from '../order-path.ts';
import {
  ChoiceForm,
  choosesNothing,
  chosen,
  formErrorOf,
  RefundChoice,
  refundBody,
  refundError,
  typedAmount,
  type Values,
} from './refund-choice.tsx';
import { Covered } from './refunds.tsx';

/** The form that makes a refund, with the fields of its choice. */
const RefundForm = z.looseObject({
  /** The amount that the page showed. */
  shown: z.string(),
  reason: optionalText,
});

const here = (request: PageRequest): string => `${root}/${encodeURIComponent(request.param('id'))}`;

const money = ({ amount, currency }: RefundPreview): string => formatMoney(amount, currency);

/** Returns what the chosen refund would pay back, or why it can't be made. */
async function previewOf(request: PageRequest, values: Values): Promise<Answer<RefundPreview>> {
  const body = refundBody(values);
  const valid = RefundCreate.safeParse(body);
  if (!valid.success) {
    const errors = fieldErrors(valid.error, 'json');
    return { ok: false, ...refundError({ ...formErrorOf({ code: 'validation_error' }), errors }, body) };
  }
  const preview = await previewRefund(tenantDatabase(request), request.param('id'), valid.data);
  if (!preview.ok) return { ok: false, ...refundError(formErrorOf(preview.failure), body) };
  const problem =
    body.amount === undefined ? null : amountProblem(typedAmount(values), preview.value.currency);
  return problem === null ? preview : { ok: false, ...asFormError(problem, 422, 'amount') };
}

async function choicePage(request: PageRequest, formError: FormError | null): Promise<View | Outcome> {
  const [answer, all] = await Promise.all([loadOrder(request), previewOf(request, {})]);
  if (!answer.ok) return answer;
  const order = answer.value;
  const body = all.ok ? (
    <RefundChoice
      f={{ request, formError }}
      order={order}
      values={chosen(request.c.req.queries())}
      path={`${here(request)}/refund`}
      left={money(all.value)}
    />
  ) : (
    <div class="empty">
      <p>{all.formError.message}</p>
    </div>
  );
  return { title: `Refund order ${order.number}`, trail: orderTrail(order), body };
}

/** Returns the address of the page that asks, or of the one that chooses, with a choice. */
function withChoice(path: string, values: Values): string {
  const query = new URLSearchParams();
  for (const [name, all] of Object.entries(values)) for (const value of all) query.append(name, value);
  return `${path}?${query}`;
}

const NOTHING_CHOSEN = 'Nothing is chosen yet: enter units or an amount, or tick the shipping.';

/** Leads to the page that asks, if the chosen refund can be made. */
async function choose(request: PageRequest): Promise<Outcome> {
  const values = chosen(request.sent);
  if (choosesNothing(values)) return asFormError(NOTHING_CHOSEN);
  const preview = await previewOf(request, values);
  return preview.ok ? { to: withChoice(`${here(request)}/refund/confirm`, values) } : preview;
}

/** Says what will be paid back and what for, and asks. */
async function asking(request: PageRequest, formError: FormError | null): Promise<Question | Outcome> {
  const values = chosen(request.sent.shown ? request.sent : request.c.req.queries());
  const read = await allAnswers({ order: loadOrder(request), preview: previewOf(request, values) });
  if (!read.ok) return read;
  const { order, preview } = read.value;
  const amount = money(preview);
  return {
    title: `Refund ${amount} of order ${order.number}?`,
    trail: orderTrail(order),
    body: (
      <Covered
        order={order}
        preview={preview}
        page={pageAsked(request)}
        href={(page) => withChoice(`${here(request)}/refund/confirm`, { ...values, page: [`${page}`] })}
      />
    ),
    fields: <Fields request={request} formError={formError} values={values} shown={amount} />,
    submit: `Refund ${amount}`,
    keep: [withChoice(`${here(request)}/refund`, values), 'Change what is refunded'],
  };
}

const Fields = (props: {
  readonly request: PageRequest;
  readonly formError: FormError | null;
  readonly values: Values;
  readonly shown: string;
}) => (
  <>
    <input type="hidden" name="shown" value={props.shown} />
    <HiddenValues of={props.values} />
    <Field f={props} name="reason" label="Reason" hint="Only the shop sees it" maxlength={500} />
  </>
);

/** Makes the refund that was confirmed, if it still is of the amount that was shown. */
async function makeRefund(
  request: PageRequest,
  { shown, reason }: z.output<typeof RefundForm>,
): Promise<Outcome> {
  const values = chosen(request.sent);
  const preview = await previewOf(request, values);
  const path = `${orderPath(request)}/refunds`;
  // A repeated form may find less left, or nothing: its key returns the refund that it made.
  if (preview.ok && money(preview.value) !== shown && !(await wasPosted(request, path))) {
    return asFormError(`The amount is now ${money(preview.value)}.`, 409);
  }
  const body = { ...refundBody(values), ...(reason !== null && { reason }) };
  const made = await postOnce(request, { path, body });
  return made.ok ? { to: here(request), note: 'refunded' } : refundError(made.formError, body);
}

const at = (path: string) =>
  ({ path: `/developer/orders/:id/refund${path}`, audience: 'developer', needs: 'staff' }) as const;

/** The pages of a refund: one chooses it, the other says what it pays back and asks. */
export const refundPages: readonly Page[] = [
  ...formPages({ ...at(''), form: ChoiceForm }, choicePage, choose),
  ...confirmPages({ ...at('/confirm'), form: RefundForm }, asking, makeRefund),
];
