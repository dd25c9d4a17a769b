export { milaMoved } from './examples.ts';
export { forgetErased, forgetResets, forgetSessions } from './forget.ts';
export { customerGuard } from './guard.ts';
export { LoginGate } from './login/login-gate.ts';
export { LoginGuard } from './login/login-guard.ts';
export { CustomerEmailChanged } from './schemas.ts';
