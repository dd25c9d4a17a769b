export { admit as admitToken } from './limiter/admission.ts';
export { keptReports, Lease } from './limiter/lease.ts';
export { usageOf } from './limiter/limiter-client.ts';
export { RateLimiter } from './limiter/rate-limiter.ts';
export {
  type Demand,
  type Grant,
  LEASE_WAIT_MS,
  type Report,
  SlidingWindow,
  second,
  share,
} from './limiter/sliding-window.ts';
export { LeaseIds, WindowStore } from './limiter/window-store.ts';
export { cors, originAllowed } from './middleware/cors.ts';
export { hotRead } from './middleware/fast-path.ts';
export { bearer, platformGuard, tokenGuard } from './middleware/guard.ts';
export {
  type CallRecord,
  type FoundCalls,
  type OwnedCall,
  STATUS_CLASSES,
} from './request-log/call-record.ts';
export { callById, callsOf } from './request-log/log-client.ts';
export { RequestLog } from './request-log/request-log.ts';
export { Application, ApplicationWithToken } from './schemas.ts';
export { DEFAULT_SCOPES } from './scopes.ts';
export { originsOf } from './store.ts';
export { readToken } from './token.ts';
