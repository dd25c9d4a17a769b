import type { Provider } from './provider.ts';

/** The provider `sandbox`: pays or declines at the press of a button, and moves no money. */
export const sandbox: Provider = {
  name: 'sandbox',
  test: true,
  patience: 30 * 60_000,
  accepts: () => true,
  begin: async (_, payment, __, decline) => ({
    state: decline ? 'declined' : 'paid',
    payment: { provider: 'sandbox', reference: `${decline ? 'declined' : 'sandbox'}_${payment.id}` },
  }),
  settle: async (_, end) => ({ state: end ? 'over' : 'open' }),
  refund: async () => true,
  hear: async () => null,
};
