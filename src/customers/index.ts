export { forgetErased, forgetResets, forgetSessions } from './forget.ts';
export { LoginGate } from './login/login-gate.ts';
export { LoginGuard } from './login/login-guard.ts';
export { CustomerEmailChanged } from './schemas.ts';
export { customerGuard } from './sessions/guard.ts';
