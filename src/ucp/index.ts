export { forgetKeys } from './keys/signing-keys.ts';
export { ucpRoutes } from './router.ts';
