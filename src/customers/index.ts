export { forgetErased, forgetResets, forgetSessions } from './forget.ts';
export { LoginGate } from './gate.ts';
export { customerGuard } from './guard.ts';
export { LoginGuard } from './object.ts';
export { CustomerEmailChanged } from './schemas.ts';
