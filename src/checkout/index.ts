export { forgetBuyers } from './erase.ts';
export { cancelledOrder } from './examples.ts';
export { retryNotices } from './notify-cart.ts';
export { checkoutPages } from './pages/routes.tsx';
export { paymentCallbacks } from './payments/provider-webhook.ts';
export { expireOrders, retryRefunds } from './reconcile.ts';
export { forgetCheckouts } from './sessions/store.ts';
export { readReturn } from './signature.ts';
