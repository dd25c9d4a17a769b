export { paymentCallbacks } from './callback.ts';
export { forgetBuyers } from './erase.ts';
export { checkoutPages } from './pages.tsx';
export { forgetCheckouts } from './sessions.ts';
export { readReturn } from './signature.ts';
export { sweepOrders, sweepRefunds } from './sweep.ts';
export { sweepNotices } from './tell-cart.ts';
