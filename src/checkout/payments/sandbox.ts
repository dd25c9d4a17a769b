import type { Provider } from './provider.ts';

/** The provider `sandbox`: the shopper chooses whether the payment succeeds; no money moves. */
export const sandbox: Provider = {
  name: 'sandbox',
  test: true,
  paymentWindowMs: 30 * 60_000,
  accepts: () => true,
  begin: async (_, payment, __, decline) => ({
    state: decline ? 'declined' : 'paid',
    payment: { provider: 'sandbox', reference: `${decline ? 'declined' : 'sandbox'}_${payment.id}` },
  }),
  checkStatus: async (_, end) => ({ state: end ? 'ended' : 'open' }),
  refund: async () => true,
  parseCallback: async () => null,
};
