export { forgetKeys } from './keys/signing-keys.ts';
