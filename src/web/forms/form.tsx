import { html } from 'hono/html';
import type { Child } from 'hono/jsx';
import { randomBase62 } from '../../kernel/crypto/crypto.ts';
import { type Filled, isSent, type PageRequest } from '../page.ts';
import { Part } from '../ui/part.tsx';
import { describedBy, errorsOf, Hints } from './hints.tsx';
import { idOf, labelled } from './summary.tsx';

interface FormProps {
  readonly request: PageRequest;
  readonly action: string;
  readonly submit: string;
  readonly children?: Child;
  /** Styles the button as destructive. */
  readonly danger?: boolean;
  readonly quiet?: boolean;
  /** Added to the button's accessible name when a page has several similar buttons. */
  readonly about?: string;
  /** A second button, which submits to another path without browser validation. */
  readonly also?: { readonly action: string; readonly submit: string };
  readonly file?: boolean;
  /** Renders no card, for a form inside one. */
  readonly bare?: boolean;
  /** Asks, with JavaScript, before the page is left with changes that are not saved. */
  readonly unsaved?: boolean;
}

/** The CSRF token and the idempotency key of a form. */
export const HiddenFields = ({ request }: { request: PageRequest }) => (
  <>
    <input type="hidden" name="_token" value={request.token} />
    <input type="hidden" name="_once" value={request.once ?? randomBase62(24)} />
  </>
);

/**
 * A form with a CSRF token, an idempotency key and a submit button. For a user whose role doesn't suffice, its
 * fields are disabled and its button is left out.
 */
export const Form = (props: FormProps) =>
  props.request.may('post', props.action) ? <OpenForm {...props} /> : <LockedForm {...props} />;

const cardClass = (bare: boolean | undefined): string | undefined => (bare ? undefined : 'stack');

const LockedForm = ({ quiet, bare, children }: FormProps) =>
  quiet ? null : (
    <form class={cardClass(bare)}>
      <p class="hint">Your role does not allow changing this.</p>
      <fieldset disabled class="locked">
        {children}
      </fieldset>
    </form>
  );

/** The Enter key presses a form's first button: here a hidden one that submits, not a button among the fields. */
const OpenForm = (props: FormProps) => (
  <form
    method="post"
    action={props.action}
    class={props.quiet ? 'inline' : cardClass(props.bare)}
    enctype={props.file ? 'multipart/form-data' : undefined}
    data-unsaved={props.unsaved}
  >
    {props.unsaved && <Part name="unsaved" />}
    <HiddenFields request={props.request} />
    {!props.quiet && <button type="submit" hidden />}
    {props.children}
    <Send props={props} submit={props.submit} />
    {props.also && <Send props={props} submit={props.also.submit} formAction={props.also.action} />}
  </form>
);

const Send = ({ props, submit, formAction }: { props: FormProps; submit: string; formAction?: string }) => (
  <button
    type="submit"
    formaction={formAction}
    formnovalidate={formAction !== undefined}
    class={[props.quiet && 'quiet', props.danger && 'danger'].filter(Boolean).join(' ') || undefined}
    aria-label={props.about ? `${submit} ${props.about}` : undefined}
  >
    {submit}
  </button>
);

/** What every field of a form takes. */
export interface FieldProps {
  readonly f: Filled;
  /** The field's name, which is also its path in errors. */
  readonly name: string;
  readonly label: string;
  readonly value?: string | number | null | undefined;
  readonly hint?: string | undefined;
  readonly type?: string;
  readonly required?: boolean | undefined;
  /** Longest text, in UTF-16 units. */
  readonly maxlength?: number;
  readonly attributes?: Readonly<Record<string, string | number | boolean>>;
}

/** Returns the submitted value, else the initial one. Passwords and files are never echoed. */
const filledIn = ({ f, name, value, type }: FieldProps): string =>
  type === 'password' || type === 'file' ? '' : (f.request.sent[name]?.[0] ?? String(value ?? ''));

const common = (props: FieldProps) => ({
  id: labelled(props),
  name: props.name,
  required: props.required,
  'aria-invalid': errorsOf(props).length > 0 ? ('true' as const) : undefined,
  'aria-describedby': describedBy(props),
  maxlength: props.maxlength,
  ...props.attributes,
});

/** A line of text (or a number, a colour, a file …) with its label, hint and errors. */
export const Field = (props: FieldProps) => (
  <p class="field">
    <label for={idOf(props.name)}>{props.label}</label>
    <input {...common(props)} type={props.type ?? 'text'} value={filledIn(props) || undefined} />
    {props.type === 'file' && <Part name="file" />}
    <Hints {...props} />
  </p>
);

/** A field in a table cell; its label is visible to screen readers only. */
export const Cell = (props: FieldProps) => (
  <>
    <input
      {...common(props)}
      aria-label={props.label}
      type={props.type ?? 'text'}
      value={filledIn(props) || undefined}
    />
    <Hints {...props} />
  </>
);

/** Returns the rows of a text area: one more than the lines of its text, between 3 and 12. */
const rowsFor = (text: string): number => Math.min(12, Math.max(3, text.split('\n').length + 1));

/** A text area. */
export const Area = (props: FieldProps) => (
  <p class="field">
    <label for={idOf(props.name)}>{props.label}</label>
    <textarea {...common(props)} rows={rowsFor(filledIn(props))}>
      {filledIn(props)}
    </textarea>
    <Hints {...props} />
  </p>
);

type Option = readonly [value: string, label: string];

/** Renders an option without its end tag, which is optional in HTML: those of all countries are 2 KiB. */
const optionOf = ([value, label]: Option, chosen: string) =>
  value === chosen
    ? html`<option value="${value}" selected="">${label}`
    : html`<option value="${value}">${label}`;

/** A select with one choice. */
export const Choice = (props: FieldProps & { options: readonly Option[] }) => {
  const selected = filledIn(props);
  return (
    <p class="field">
      <label for={idOf(props.name)}>{props.label}</label>
      <select {...common(props)}>{props.options.map((option) => optionOf(option, selected))}</select>
      <Hints {...props} />
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

/** A group of checkboxes. */
export const Checks = ({ f, name, legend, hint, options, checked }: ChecksProps) => {
  const on = isSent(f.request) ? (f.request.sent[name] ?? []) : checked;
  return (
    <fieldset id={labelled({ f, name, label: legend })} aria-describedby={describedBy({ f, name, hint })}>
      <legend>{legend}</legend>
      <Hints f={f} name={name} hint={hint} />
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
