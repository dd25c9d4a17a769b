export { type Answer, type FormError, tenantOf } from './api-client.ts';
export { clip, Facts, Pages, pageOf, Secret, State, Table, Totals, Use, When } from './components.tsx';
export { EmailField, NewPasswordField, PasswordField } from './fields.tsx';
export { forgetPanelGuesses, forgetPanelSessions } from './forget.ts';
export { Area, Cell, Checks, Choice, Field, type Filled, Form, Instant } from './form.tsx';
export {
  amounts,
  checked,
  decimal,
  instant,
  lines,
  list,
  numbers,
  optional,
  optionalInstant,
  optionalText,
  shares,
  sharesByClass,
  shippingByCountry,
  wholeNumber,
  words,
  writeAmounts,
  writeClasses,
  writeShares,
  writeShipping,
} from './form-schemas.ts';
export { lineOptions } from './line-options.ts';
export { mountPages } from './mount-pages.tsx';
export {
  asTrouble,
  form,
  getPage,
  type Link,
  type Outcome,
  type Page,
  type PageRequest,
  pageAsked,
  pageParam,
} from './page.ts';
export { signInAdmin, signInDeveloper, signOut } from './sessions.ts';
export {
  accept,
  accountOf,
  forgiveGuesses,
  invite,
  invited,
  listDevelopers,
  mayGuess,
  rehash,
  removeDeveloper,
  type SignInThrottle,
} from './store.ts';
export type { PanelUser } from './tables.ts';
