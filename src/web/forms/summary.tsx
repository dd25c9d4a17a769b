import { capitalized } from '../../kernel/text/text.ts';
import type { FormError } from '../api-client.ts';
import type { FieldLabels, Filled } from '../page.ts';

/** Returns the id of a field, to which the error summary links. */
export const idOf = (name: string): string => `f-${name}`;

/** Notes a field's label for the error summary, and returns the field's id. Every field calls it as it is rendered. */
export function labelled({ f, name, label }: { f: Filled; name: string; label: string }): string {
  f.request.labels.set(name, label);
  return idOf(name);
}

interface SummaryProps {
  readonly formError: FormError;
  /** The labels of the page's fields, by name. */
  readonly labels: FieldLabels;
}

/** The summary of a form's errors: each names its field by the label that the form shows, and links to it. */
export const Summary = ({ formError, labels }: SummaryProps) => {
  const errors = Object.entries(formError.errors);
  const isSaidBelow = errors.some(([, messages]) => messages.includes(formError.message));
  return (
    <div class="summary" role="alert" tabindex={-1} id="summary">
      <h2>{errors.length > 0 ? 'The form has errors' : 'That did not work'}</h2>
      {!isSaidBelow && <p>{formError.message}</p>}
      {errors.length > 0 && (
        <ul>
          {errors.map(([path, messages]) => (
            <li>
              <Fault path={path} labels={labels} text={messages.join('; ')} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
};

/** One error. An error of something that the form doesn't show has no link. */
const Fault = ({ path, labels, text }: { path: string; labels: FieldLabels; text: string }) => {
  const field = fieldAround(path, labels);
  const line = `${labelOf(path, labels)}: ${text}`;
  return field === undefined ? <span>{line}</span> : <a href={`#${idOf(field)}`}>{line}</a>;
};

/** Returns the path itself and the paths around it, from the longest: `a.0.b`, `a.0`, `a`. */
function pathsAround(path: string): string[] {
  const parts = path.split('.');
  return parts.map((_, at) => parts.slice(0, parts.length - at).join('.'));
}

/** Returns the field of an error's path: `shipping.flat` for `shipping.flat.GBP`, `events` for `events.0`. */
const fieldAround = (path: string, labels: FieldLabels): string | undefined =>
  pathsAround(path).find((around) => labels.has(around));

/**
 * Returns the label of an error's path. A part of a field is named after it: `events.0` → `Events line 1`,
 * `shipping.flat.GBP` → `Price GBP`, also where it has a field of its own. A field of a row is named with its row:
 * `links.0.title` → `Files 1, Title`.
 */
export function labelOf(path: string, labels: FieldLabels): string {
  const own = labels.get(path);
  const [around] = pathsAround(path)
    .slice(1)
    .filter((above) => labels.has(above));
  if (around === undefined) return own ?? inWords(path);
  const [first = '', ...rest] = path.slice(around.length + 1).split('.');
  const isRow = /^\d+$/.test(first);
  const whole = labels.get(around) ?? '';
  if (own === undefined) return [whole, isRow ? `line ${Number(first) + 1}` : first, ...rest].join(' ');
  if (isRow) return `${whole} ${Number(first) + 1}, ${own}`;
  return own.startsWith(whole) ? own : `${whole} ${own}`;
}

/** Returns the path of a field without a label in words: `rate_limit_per_minute` → `Rate limit per minute`. */
const inWords = (path: string): string =>
  capitalized(path.replace(/\.(\d+)$/, (_, at) => ` line ${Number(at) + 1}`).replace(/[._]+/g, ' '));
