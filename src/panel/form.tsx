import type { Child } from 'hono/jsx';
import { randomBase62 } from '../kernel/crypto.ts';
import type { Trouble } from './api.ts';
import type { Visit } from './page.ts';

/** The state of a form: what it was sent with, and what is wrong with it. */
export interface Filled {
  readonly visit: Visit;
  readonly trouble: Trouble | null;
}

interface FormProps {
  readonly visit: Visit;
  readonly action: string;
  readonly submit: string;
  readonly children?: Child;
  /** For what can't be undone. */
  readonly danger?: boolean;
  readonly quiet?: boolean;
  /** Says which thing the button is about, where several look alike. */
  readonly about?: string;
  readonly file?: boolean;
}

/** A form with its CSRF token, a key that makes sending it twice harmless, and its button. */
export const Form = (props: FormProps) => (
  <form
    method="post"
    action={props.action}
    class={props.quiet ? 'inline' : 'stack'}
    enctype={props.file ? 'multipart/form-data' : undefined}
  >
    <input type="hidden" name="_token" value={props.visit.token} />
    <input type="hidden" name="_once" value={randomBase62(24)} />
    {props.children}
    <button
      type="submit"
      class={props.danger ? 'danger' : props.quiet ? 'quiet' : undefined}
      aria-label={props.about ? `${props.submit} ${props.about}` : undefined}
    >
      {props.submit}
    </button>
  </form>
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

/** What the field was sent with, else what it starts with. Passwords and files are never sent back. */
const filledIn = ({ f, name, value, type }: FieldProps): string =>
  type === 'password' || type === 'file' ? '' : (f.visit.sent[name]?.[0] ?? String(value ?? ''));

function describedBy({ f, name, hint }: FieldProps): string | undefined {
  const ids = [
    ...(hint ? [`${idOf(name)}-hint`] : []),
    ...(f.trouble?.errors[name] ? [`${idOf(name)}-error`] : []),
  ];
  return ids.length > 0 ? ids.join(' ') : undefined;
}

const Hints = ({ props }: { props: FieldProps }) => {
  const errors = props.f.trouble?.errors[props.name];
  return (
    <>
      {props.hint && (
        <small class="hint" id={`${idOf(props.name)}-hint`}>
          {props.hint}
        </small>
      )}
      {errors && (
        <strong class="error" id={`${idOf(props.name)}-error`}>
          {errors.join('; ')}
        </strong>
      )}
    </>
  );
};

const common = (props: FieldProps) => ({
  id: idOf(props.name),
  name: props.name,
  required: props.required,
  'aria-invalid': props.f.trouble?.errors[props.name] ? ('true' as const) : undefined,
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

/** Several lines of text. */
export const Area = (props: FieldProps) => (
  <p class="field">
    <label for={idOf(props.name)}>{props.label}</label>
    <textarea {...common(props)} rows={4}>
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
  const errors = f.trouble?.errors[name];
  return (
    <fieldset id={idOf(name)} aria-describedby={errors ? `${idOf(name)}-error` : undefined}>
      <legend>{legend}</legend>
      {hint && <small class="hint">{hint}</small>}
      {errors && (
        <strong class="error" id={`${idOf(name)}-error`}>
          {errors.join('; ')}
        </strong>
      )}
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
