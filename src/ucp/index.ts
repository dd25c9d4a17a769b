export { orderEventRequest } from './events/order-event.ts';
export { forgetKeys } from './keys/signing-keys.ts';
export { PlatformDirectory } from './platforms/platform-directory.ts';
export { previewProfile } from './profile/preview.ts';
export { ucpRoutes } from './router.ts';
