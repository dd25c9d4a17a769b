import type { Child } from 'hono/jsx';
import { randomBase62 } from '../kernel/crypto/crypto.ts';
import type { FormError } from './api-client.ts';
import { writeInstant } from './form-schemas.ts';
import type { PageRequest } from './page.ts';

/** The state of a form: what it was sent with, and what is wrong with it. */
export interface Filled {
  readonly visit: PageRequest;
  readonly trouble: FormError | null;
}

interface FormProps {
  readonly visit: PageRequest;
  readonly action: string;
  readonly submit: string;
  readonly children?: Child;
  /** For what can't be undone. */
  readonly danger?: boolean;
  readonly quiet?: boolean;
  /** Says which thing the button is about, where several look alike. */
  readonly about?: string;
  /** A second button, which sends the form elsewhere whatever is in its fields. */
  readonly also?: { readonly action: string; readonly submit: string };
  readonly file?: boolean;
  /** Without a card around it, for a form that is in one. */
  readonly bare?: boolean;
}

/** A form with its CSRF token, a key that makes sending it twice harmless, and its button. */
export const Form = (props: FormProps) => (
  <form
    method="post"
    action={props.action}
    class={props.quiet ? 'inline' : props.bare ? undefined : 'stack'}
    enctype={props.file ? 'multipart/form-data' : undefined}
  >
    <input type="hidden" name="_token" value={props.visit.token} />
    <input type="hidden" name="_once" value={randomBase62(24)} />
    {props.children}
    <Send props={props} submit={props.submit} />
    {props.also && <Send props={props} submit={props.also.submit} elsewhere={props.also.action} />}
  </form>
);

const Send = ({ props, submit, elsewhere }: { props: FormProps; submit: string; elsewhere?: string }) => (
  <button
    type="submit"
    formaction={elsewhere}
    formnovalidate={elsewhere !== undefined}
    class={[props.quiet && 'quiet', props.danger && 'danger'].filter(Boolean).join(' ') || undefined}
    aria-label={props.about ? `${submit} ${props.about}` : undefined}
  >
    {submit}
  </button>
);

interface FieldProps {
  readonly f: Filled;
  /** The name, which is also the path that errors name. */
  readonly name: string;
  readonly label: string;
  readonly value?: string | number | null;
  readonly hint?: string;
  readonly type?: string;
  readonly required?: boolean;
  readonly attributes?: Readonly<Record<string, string | number | boolean>>;
}

const idOf = (name: string): string => `f-${name}`;

/** What is wrong with a field, or with a part of it: the second line of a list, one currency of several. */
export function errorsOf({ f, name }: Pick<FieldProps, 'f' | 'name'>): string[] {
  return Object.entries(f.trouble?.errors ?? {}).flatMap(([field, messages]) => {
    if (field === name) return messages;
    if (!field.startsWith(`${name}.`)) return [];
    const part = field.slice(name.length + 1);
    const where = /^\d+$/.test(part) ? `line ${Number(part) + 1}` : part;
    return messages.map((message) => `${where}: ${message}`);
  });
}

/** What is wrong with a form, with links to its fields; `fields` are the names that it was sent with. */
export const Summary = ({ trouble, fields }: { trouble: FormError; fields: readonly string[] }) => {
  const errors = Object.entries(trouble.errors);
  return (
    <div class="summary" role="alert" tabindex={-1} id="summary">
      <h2>That did not work</h2>
      <p>{trouble.message}</p>
      {errors.length > 0 && (
        <ul>
          {errors.map(([path, messages]) => (
            <li>
              <a href={`#${idOf(fieldAround(path, fields))}`}>
                {inWords(path)}: {messages.join('; ')}
              </a>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
};

/** The field that an error's path is in: `shipping.flat` of `shipping.flat.GBP`, `events` of `events.0`. */
const fieldAround = (path: string, fields: readonly string[]): string =>
  fields.find((field) => `${path}.`.startsWith(`${field}.`)) ?? path.replace(/\.\d+$/, '');

/** `rate_limit_per_minute` → `Rate limit per minute`, `events.0` → `Events line 1`. */
function inWords(path: string): string {
  const named = path.replace(/\.(\d+)$/, (_, at) => ` line ${Number(at) + 1}`);
  return named.charAt(0).toUpperCase() + named.slice(1).replace(/[._]+/g, ' ');
}

/** What the field was sent with, else what it starts with. Passwords and files are never sent back. */
const filledIn = ({ f, name, value, type }: FieldProps): string =>
  type === 'password' || type === 'file' ? '' : (f.visit.sent[name]?.[0] ?? String(value ?? ''));

function describedBy(props: FieldProps): string | undefined {
  const id = idOf(props.name);
  const ids = [...(props.hint ? [`${id}-hint`] : []), ...(errorsOf(props).length > 0 ? [`${id}-error`] : [])];
  return ids.length > 0 ? ids.join(' ') : undefined;
}

/** What is wrong with a field, beside it. */
const Wrong = ({ f, name }: Pick<FieldProps, 'f' | 'name'>) => {
  const errors = errorsOf({ f, name });
  return errors.length > 0 ? (
    <strong class="error" id={`${idOf(name)}-error`}>
      {errors.join('; ')}
    </strong>
  ) : null;
};

const Hints = ({ props }: { props: FieldProps }) => (
  <>
    {props.hint && (
      <small class="hint" id={`${idOf(props.name)}-hint`}>
        {props.hint}
      </small>
    )}
    <Wrong f={props.f} name={props.name} />
  </>
);

const common = (props: FieldProps) => ({
  id: idOf(props.name),
  name: props.name,
  required: props.required,
  'aria-invalid': errorsOf(props).length > 0 ? ('true' as const) : undefined,
  'aria-describedby': describedBy(props),
  ...props.attributes,
});

/** A line of text (or a number, a colour, a file …) with its label, hint and errors. */
export const Field = (props: FieldProps) => (
  <p class="field">
    <label for={idOf(props.name)}>{props.label}</label>
    <input {...common(props)} type={props.type ?? 'text'} value={filledIn(props) || undefined} />
    <Hints props={props} />
  </p>
);

/** An instant in UTC, to the millisecond; browsers show no finer parts than it has. */
export const Instant = ({
  value,
  ...props
}: Omit<FieldProps, 'type' | 'value'> & { value?: string | null }) => (
  <Field {...props} type="datetime-local" value={writeInstant(value ?? null)} attributes={{ step: 'any' }} />
);

/** A field in a table's cell: its label is heard, not seen. */
export const Cell = (props: FieldProps) => (
  <>
    <input
      {...common(props)}
      aria-label={props.label}
      type={props.type ?? 'text'}
      value={filledIn(props) || undefined}
    />
    <Hints props={props} />
  </>
);

/** Room for the text and a line more. */
const rowsFor = (text: string): number => Math.min(12, Math.max(3, text.split('\n').length + 1));

/** Several lines of text. */
export const Area = (props: FieldProps) => (
  <p class="field">
    <label for={idOf(props.name)}>{props.label}</label>
    <textarea {...common(props)} rows={rowsFor(filledIn(props))}>
      {filledIn(props)}
    </textarea>
    <Hints props={props} />
  </p>
);

type Option = readonly [value: string, label: string];

/** One of several. */
export const Choice = (props: FieldProps & { options: readonly Option[] }) => {
  const chosen = filledIn(props);
  return (
    <p class="field">
      <label for={idOf(props.name)}>{props.label}</label>
      <select {...common(props)}>
        {props.options.map(([value, label]) => (
          <option value={value} selected={value === chosen}>
            {label}
          </option>
        ))}
      </select>
      <Hints props={props} />
    </p>
  );
};

interface ChecksProps {
  readonly f: Filled;
  readonly name: string;
  readonly legend: string;
  readonly hint?: string;
  readonly options: readonly string[];
  readonly checked: readonly string[];
}

/** Any of several. */
export const Checks = ({ f, name, legend, hint, options, checked }: ChecksProps) => {
  const sent = Object.keys(f.visit.sent).length > 0;
  const on = sent ? (f.visit.sent[name] ?? []) : checked;
  const wrong = errorsOf({ f, name }).length > 0;
  return (
    <fieldset id={idOf(name)} aria-describedby={wrong ? `${idOf(name)}-error` : undefined}>
      <legend>{legend}</legend>
      {hint && <small class="hint">{hint}</small>}
      <Wrong f={f} name={name} />
      <div class="checks">
        {options.map((option) => (
          <label>
            <input type="checkbox" name={name} value={option} checked={on.includes(option)} />
            <span>{option}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
};
