export { orderEventRequest } from './events/order-event.ts';
export { forgetKeys, listKeys, rotateKey } from './keys/signing-keys.ts';
export type { KeyRow } from './keys/tables.ts';
export { PlatformDirectory } from './platforms/platform-directory.ts';
export { businessProfile } from './profile/business-profile.ts';
export { ucpRoutes } from './router.ts';
