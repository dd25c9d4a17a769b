import type { Filled } from '../page.ts';
import { Field, type FieldProps } from './form.tsx';
import { writeInstant } from './form-schemas.ts';

/** The e-mail field of a sign-in form. */
export const EmailField = ({ f }: { f: Filled }) => (
  <Field f={f} name="email" label="E-mail" type="email" required attributes={{ autocomplete: 'username' }} />
);

/** The field for an existing password. */
export const PasswordField = ({ f }: { f: Filled }) => (
  <Field
    f={f}
    name="password"
    label="Password"
    type="password"
    required
    attributes={{ autocomplete: 'current-password' }}
  />
);

/** The field for a new password. */
export const NewPasswordField = ({ f, label, hint }: { f: Filled; label: string; hint: string }) => (
  <Field
    f={f}
    name="password"
    label={label}
    type="password"
    hint={hint}
    required
    attributes={{ autocomplete: 'new-password', minlength: 8, maxlength: 256 }}
  />
);

/** A date and time field in UTC, to the millisecond. */
export const Instant = ({
  value,
  ...props
}: Omit<FieldProps, 'type' | 'value'> & { value?: string | null | undefined }) => (
  <Field {...props} type="datetime-local" value={writeInstant(value ?? null)} attributes={{ step: 'any' }} />
);
