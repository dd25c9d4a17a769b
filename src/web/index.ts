export {
  type Answer,
  type ApiCall,
  allAnswers,
  type Fetch,
  type FormError,
  publicFetch,
} from './api-client.ts';
export { mountPages } from './dispatch/mount-pages.tsx';
export { personWho } from './dispatch/record-change.ts';
export { type ErrorDocument, errorPage, NextLink, setErrorDocument, wantsPage } from './error-page.tsx';
export { AmountFields, amountField, amountProblem, withAmounts } from './forms/amount-fields.tsx';
export { EmailField, Instant, NewPasswordField, PasswordField } from './forms/fields.tsx';
export {
  Area,
  Cell,
  Checks,
  Choice,
  Field,
  Form,
  HiddenFields,
} from './forms/form.tsx';
export {
  checked,
  decimal,
  halfWidth,
  instant,
  lines,
  list,
  normalText,
  optional,
  optionalInstant,
  optionalLines,
  optionalText,
  price,
  shownInstant,
  wholeNumber,
  words,
} from './forms/form-schemas.ts';
export { GroupedChecks, groupChecks } from './forms/grouped-checks.tsx';
export { describedBy, errorsOf, FieldErrors, Hints } from './forms/hints.tsx';
export { renameErrors } from './forms/rename-errors.ts';
export { type RowContext, Rows, rowsOf } from './forms/rows.tsx';
export { labelled, Summary } from './forms/summary.tsx';
export { Switch } from './forms/switch.tsx';
export { Tick } from './forms/tick.tsx';
export { SEARCH_PATH } from './navigation.tsx';
export {
  asFormError,
  type DocumentOf,
  type Filled,
  form,
  formPages,
  getPage,
  isSent,
  type Link,
  mayOpen,
  noteOf,
  type Outcome,
  onceOf,
  type Page,
  type PageRequest,
  pageAsked,
  pageParam,
  postOnce,
  type View,
} from './page.ts';
export { formKey, wasPosted } from './sent-before.ts';
export { accept, accountOf, changePassword, invited, rehash } from './sessions/accounts.ts';
export {
  changeRole,
  invite,
  issueLink,
  listDevelopers,
  MAX_PEOPLE,
  type OneTimeLink,
  type PersonChange,
  removePerson,
  withTenant,
} from './sessions/people.ts';
export { RESUME_FIELD, safePath } from './sessions/resume.ts';
export { ROLE_TEXTS, ROLES, type Role } from './sessions/roles.ts';
export {
  accountName,
  ownSessionHash,
  signInAdmin,
  signInDeveloper,
  signOut,
} from './sessions/sessions.ts';
export { endOwnSession, endSessions, forgetPanelSessions, listSessions } from './sessions/store.ts';
export type { PanelSession, PanelUser } from './sessions/tables.ts';
export {
  forgetPanelGuesses,
  forgiveGuesses,
  forgivePassword,
  passwordThrottles,
  rejectTooMany,
  signInNetwork,
} from './sessions/throttle.ts';
export { startPage } from './start-page.tsx';
export {
  clip,
  Email,
  Facts,
  MailTo,
  Pages,
  type PagesProps,
  pageAt,
  pageOf,
  Secret,
  State,
  Table,
  Totals,
  Use,
  When,
} from './ui/components.tsx';
export { htmlBytes, rowsFitting } from './ui/fitting.ts';
export { lineOptions } from './ui/line-options.ts';
export { Part } from './ui/part.tsx';
export { ActionLink, Empty, FieldCard, Section, Tabs } from './ui/surfaces.tsx';
