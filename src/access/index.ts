export { cors } from './cors.ts';
export { bearer, forbidden, limitHeaders, type Need, platformGuard, tokenGuard } from './guard.ts';
export { hotRead } from './hot.ts';
export { admit } from './leases.ts';
export { RateLimiter } from './object.ts';
export { Application, ApplicationCreate, ApplicationPatch, ApplicationWithToken } from './schemas.ts';
export { DEFAULT_SCOPES } from './scopes.ts';
export {
  applicationById,
  createApplication,
  originsOf,
  patchApplication,
  presentApplication,
  rotateToken,
} from './store.ts';
export { applicationChanged } from './tell.ts';
export { usageOf } from './usage.ts';
