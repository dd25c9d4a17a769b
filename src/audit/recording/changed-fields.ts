import { isRecord } from '../../kernel/core/records.ts';
import type { AuditChange } from '../tables.ts';

/** The most fields of one entry, and the longest value (UTF-16 units). */
const MAX_FIELDS = 40;
const MAX_VALUE_LENGTH = 120;

/** Objects within objects are compared field by field to this depth: `tax.rate_percent`. */
const MAX_DEPTH = 3;

/** Names of fields whose values are never recorded: secrets, and what may say something about a person. */
const HIDDEN =
  /secret|password|token|credential|api_?key|e_?mail|phone|address|note|message|comment|customer|birth|first_name|last_name|company|metadata|html|_url$|^url$/i;

/** Kinds of subjects whose fields are recorded by name alone, since they hold personal data. */
const PERSONAL = ['customers', 'orders'];

type Fields = Readonly<Record<string, unknown>>;

/** Returns the values of an object by their dotted paths. */
function flatten(fields: Fields, depth = 1): Fields {
  const entries = Object.entries(fields).flatMap(([name, value]) => {
    if (!isRecord(value) || depth === MAX_DEPTH) return [[name, value] as const];
    return Object.entries(flatten(value, depth + 1)).map(
      ([part, inner]) => [`${name}.${part}`, inner] as const,
    );
  });
  return Object.fromEntries(entries);
}

/** Returns a value as text; `undefined` for one that is too long to be of use in a log. */
function textOf(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value : (JSON.stringify(value ?? null) ?? 'null');
  return text.length <= MAX_VALUE_LENGTH ? text : undefined;
}

/** Returns the sent fields that differ from the subject as it was; all of them if `before` is unknown. */
export function changedFields(kind: string, before: Fields | null, sent: Fields): AuditChange[] {
  const [was, is] = [flatten(before ?? {}), flatten(sent)];
  const changed = Object.keys(is).filter(
    (field) => !before || JSON.stringify(was[field] ?? null) !== JSON.stringify(is[field] ?? null),
  );
  return changed.slice(0, MAX_FIELDS).map((field) => {
    if (PERSONAL.includes(kind) || HIDDEN.test(field)) return { field };
    const [old, next] = [before ? textOf(was[field]) : undefined, textOf(is[field])];
    return { field, ...(old !== undefined && { old }), ...(next !== undefined && { new: next }) };
  });
}
