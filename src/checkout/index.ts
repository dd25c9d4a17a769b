export { paymentCallbacks } from './callback.ts';
export { checkoutPages } from './pages.tsx';
export { forgetCheckouts } from './sessions.ts';
export { readReturn } from './signature.ts';
export { sweepOrders, sweepRefunds } from './sweep.ts';
export { sweepNotices } from './tell-cart.ts';
