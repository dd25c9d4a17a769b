export { cancelledOrder } from './examples.ts';
export { retryNotices } from './notify-cart.ts';
export { checkoutPages } from './pages/router.ts';
export { paymentCallbacks } from './payments/provider-webhook.ts';
export { expireOrders, retryRefunds } from './reconcile.ts';
export { checkoutsOfPerson } from './sessions/sessions-of-person.ts';
export { forgetBuyers, forgetCheckouts } from './sessions/store.ts';
