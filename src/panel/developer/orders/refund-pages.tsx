import { z } from 'zod';
import { formatMoney } from '../../../kernel/core/money.ts';
import { database } from '../../../kernel/data/database.ts';
import { fieldErrors } from '../../../kernel/http/problem.ts';
import { Order, previewRefund, RefundCreate } from '../../../orders/index.ts';
import {
  asTrouble,
  clip,
  Form,
  type FormError,
  type Outcome,
  type PageRequest,
  State,
  Table,
  type View,
  When,
} from '../../../web/index.ts';
import { chosen, refundBody, refundTrouble, Selection, troubleOf, type Values } from './refund-choice.tsx';

/** The form that makes a refund, with what {@link refundBody} reads. */
export const RefundForm = z.looseObject({
  /** The amount that the page showed. */
  shown: z.string(),
});

/** The refunds of an order, and the way to the page that makes another while something is left. */
export const Refunds = ({ order, here }: { readonly order: Order; readonly here: string }) => {
  const refundable = ['paid', 'partially_refunded'].includes(order.payment_status);
  if (order.refunds.length === 0 && !refundable) return null;
  return (
    <section aria-labelledby="refunds">
      <h2 id="refunds">Refunds</h2>
      {order.refunds.length > 0 && <Made order={order} />}
      {refundable && (
        <p>
          <a href={`${here}/refund`}>Refund this order</a>, or a part of it.
        </p>
      )}
    </section>
  );
};

const Made = ({ order }: { readonly order: Order }) => (
  <Table
    label="Refunds"
    head={['Requested', 'Source', 'Reason', 'Status', 'Amount']}
    figures={[4]}
    rows={order.refunds.map((one) => [
      <When at={one.created_at} />,
      one.source,
      clip(one.reason ?? one.failure_reason ?? '–', 80),
      <State is={one.status} />,
      formatMoney(one.amount, one.currency),
    ])}
  />
);

/** Returns what the chosen refund would pay back, as text, or why it can't be made. */
async function previewOf(
  request: PageRequest,
  values: Values,
): Promise<{ shown: string } | { trouble: FormError }> {
  const body = refundBody(values);
  const valid = RefundCreate.safeParse(body);
  if (!valid.success) {
    const errors = fieldErrors(valid.error, 'json');
    return refundTrouble({ ...troubleOf({ code: 'validation_error' }), errors }, body);
  }
  const tenantId = request.tenant.id;
  const ctx = { db: database(request.env, tenantId), tenantId };
  const preview = await previewRefund(ctx, request.param('id'), valid.data);
  if (!preview.ok) return refundTrouble(troubleOf(preview.failure), body);
  return { shown: formatMoney(preview.value.amount, preview.value.currency) };
}

const api = (request: PageRequest): string => `/v1/orders/${encodeURIComponent(request.param('id'))}`;
const here = (request: PageRequest): string => `/developer/orders/${encodeURIComponent(request.param('id'))}`;

/** The page that chooses a refund, says its amount, and asks; at first of everything that is left. */
export async function refundPage(request: PageRequest, trouble: FormError | null): Promise<View | Outcome> {
  const sent: Values = trouble ? request.sent : request.c.req.queries();
  const values = chosen(sent);
  const [answer, preview] = await Promise.all([
    request.api({ path: api(request), answer: Order }),
    trouble ? { trouble } : previewOf(request, values),
  ]);
  if (!answer.ok) return answer;
  const order = answer.value;
  const path = `${here(request)}/refund`;
  const problem = 'trouble' in preview ? preview.trouble : null;
  const f = { request, trouble: problem };
  const body = (
    <>
      {'shown' in preview ? (
        <Question request={request} path={path} values={values} shown={preview.shown} />
      ) : (
        !trouble && <p role="alert">{wordsOf(preview.trouble)}</p>
      )}
      <h2>Refund a part</h2>
      <Selection f={f} order={order} values={values} path={path} />
    </>
  );
  return {
    title: 'Refund',
    trail: [
      ['/developer/orders', 'Orders'],
      [here(request), `Order ${order.number}`],
    ],
    body,
    ...(problem && { status: problem.status }),
  };
}

const wordsOf = ({ message, errors }: FormError): string =>
  [message, ...Object.values(errors).flat()].join(' ');

/** Says what will be paid back, and asks. */
const Question = (props: {
  readonly request: PageRequest;
  readonly path: string;
  readonly values: Values;
  readonly shown: string;
}) => {
  const { request, path, values, shown } = props;
  return (
    <>
      <p>
        <strong>{shown}</strong> will be paid back to the customer
        {Object.keys(values).length === 0 ? ': everything that is left' : ''}. This can't be undone.
      </p>
      <Form request={request} action={path} submit={`Refund ${shown}`} danger quiet>
        <input type="hidden" name="shown" value={shown} />
        {Object.entries(values).flatMap(([name, all]) =>
          all.map((value) => <input type="hidden" name={name} value={value} />),
        )}
      </Form>
    </>
  );
};

/** Makes the refund that was confirmed, if it still is of the amount that was shown. */
export async function makeRefund(
  request: PageRequest,
  { shown }: z.output<typeof RefundForm>,
): Promise<Outcome> {
  const values = chosen(request.sent);
  const once = request.sent._once?.[0];
  const [body, preview] = [refundBody(values), await previewOf(request, values)];
  // A repeated form finds less than it showed: its key returns the refund that it made.
  if ('shown' in preview && preview.shown !== shown && Object.keys(values).length === 0) {
    return asTrouble(`Less is left now: ${preview.shown}.`, 409);
  }
  const made = await request.api({ method: 'POST', path: `${api(request)}/refunds`, body, once });
  return made.ok ? { to: here(request), note: 'refunded' } : refundTrouble(made.trouble, body);
}
