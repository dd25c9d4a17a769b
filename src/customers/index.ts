export { listAddresses } from './addresses/store.ts';
export { milaMoved, milaRegistered } from './examples.ts';
export { LoginGate } from './login/login-gate.ts';
export { LoginGuard } from './login/login-guard.ts';
export { CustomerCreated, CustomerEmailChanged } from './schemas.ts';
export { customerGuard } from './sessions/guard.ts';
export { forgetResets } from './sessions/resets.ts';
export { forgetSessions } from './sessions/store.ts';
export { forgetErased } from './store.ts';
