export { LoginGate } from './gate.ts';
export { customerGuard } from './guard.ts';
export { LoginGuard } from './object.ts';
export { forgetResets } from './resets.ts';
export { CustomerEmailChanged } from './schemas.ts';
export { forgetSessions } from './sessions.ts';
