export { paymentCallbacks } from './callback.ts';
export { forgetBuyers } from './erase.ts';
export { checkoutPages } from './pages.tsx';
export { forgetCheckouts } from './sessions.ts';
export { readReturn } from './signature.ts';
export { expireOrders, retryRefunds } from './sweep.ts';
export { retryNotices } from './tell-cart.ts';
