import { ok } from '../../kernel/core/result.ts';
import { type Endpoint, endpoint } from '../../kernel/http/endpoint.ts';
import { dataSubjectOf, OrderParams, presentRefund, Refund, RefundCreate } from '../../orders/index.ts';
import { requireTenant } from '../../tenants/index.ts';
import { checkoutExamples } from '../examples.ts';
import { refundOrder } from './refund-order.ts';

/** The endpoint that refunds an order. */
export const refundEndpoint: Endpoint = endpoint(
  {
    method: 'post',
    path: '/v1/orders/{id}/refunds',
    id: 'refundOrder',
    tag: 'Orders',
    summary: 'Refund an order',
    description: `Refunds what was paid for \`items\`, what is left of \`shipping\`, and a further \`amount\`, together in one refund. Without any of them it refunds everything that is left. Taxes are included, and the parts of a line add up to what was paid for it. The order keeps its \`status\`; \`payment_status\` becomes \`partially_refunded\` or \`refunded\`, and \`order.refunded\` reports each refund that succeeded. A refund is \`pending\` until the payment provider has completed it; it is retried if the provider doesn't respond. Pending refunds count as made: more than what was paid is 409 \`refund_too_large\` with \`details.refundable\`; more of a line than was ordered, or \`shipped\`, is 422. An order of your own checkout is refunded there; here its refund is recorded as succeeded. Without \`Idempotency-Key\`, a repeated request refunds what it names again, if enough is left.`,
    access: 'orders:write',
    params: OrderParams,
    body: RefundCreate,
    status: 201,
    answer: Refund,
    errors: ['order_not_found', 'order_not_refundable', 'refund_too_large', 'conflict'],
    example: checkoutExamples.refund,
  },
  async (call) => {
    const { c, params, body, once } = call;
    const refunded = await refundOrder(call, await requireTenant(call), { orderId: params.id, body, once });
    if (!refunded.ok) return refunded;
    // The reason may be about the buyer.
    c.set('concerns', dataSubjectOf(refunded.value.order.row));
    return ok(presentRefund(refunded.value.order, refunded.value.refund));
  },
);
