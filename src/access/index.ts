export { cors } from './cors.ts';
export { bearer, platformGuard, tokenGuard } from './guard.ts';
export { hotRead } from './hot.ts';
export { RateLimiter } from './object.ts';
export { Application, ApplicationWithToken } from './schemas.ts';
export { DEFAULT_SCOPES } from './scopes.ts';
export { originsOf } from './store.ts';
export { readToken } from './token.ts';
export { usageOf } from './usage.ts';
