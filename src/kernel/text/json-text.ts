import { firstOf, textFault } from './text.ts';

/** The name that objects treat as their prototype: schemas drop a property of this name without an error. */
const PROTOTYPE_NAME = '__proto__';

/** Returns the error message for a property's name, or `null`. */
const nameFault = (name: string): string | null =>
  name === PROTOTYPE_NAME ? 'is not allowed as a name' : textFault(name);

/** The most errors that are reported for one body. */
const MAX_ERRORS = 100;
/** The most names of a field's path that an error repeats, the innermost, and the most characters of a name. */
const MAX_PATH_NAMES = 20;
const MAX_NAME_LENGTH = 100;

/** An array or object within a JSON value, with its parent and the key it has there. */
interface Node {
  readonly container: unknown[] | Record<string, unknown>;
  readonly parent: Node | null;
  readonly key: string;
}

/** A property of a node. */
interface Property {
  readonly node: Node;
  readonly key: string;
}

/** A JSON value whose strings are all in NFC, or the error messages by field path. */
type JsonText =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly errors: Record<string, string[]> };

/**
 * Normalizes every string and property name of a parsed JSON value to NFC, in place. Reports strings that
 * fail {@link textFault}, property names that collide after normalization, and the name `__proto__`. Uses an
 * explicit stack instead of recursion, because the nesting depth of a body is not limited.
 */
export function normalizeJson(json: string, value: unknown): JsonText {
  // ASCII without escapes is already in NFC; JSON allows no unescaped control characters.
  const isPlain = /^[\x20-\x7e\s]*$/.test(json) && !json.includes('\\u');
  if (isPlain && !json.includes(PROTOTYPE_NAME)) return { ok: true, value };
  const errors = new Map<string, string[]>();
  const root: Record<string, unknown> = { body: value };
  const open: Node[] = [{ container: root, parent: null, key: '' }];
  for (let node = open.pop(); node; node = open.pop()) {
    normalizeParts(node, open, errors);
  }
  return errors.size > 0 ? { ok: false, errors: Object.fromEntries(errors) } : { ok: true, value: root.body };
}

/** Normalizes the names and strings of a node, and adds the arrays and objects in it to `open`. */
function normalizeParts(node: Node, open: Node[], errors: Map<string, string[]>): void {
  const { container } = node;
  if (!Array.isArray(container)) renameKeys(container, node, errors);
  for (const [key, part] of Object.entries(container)) {
    if (isContainer(part)) open.push({ container: part, parent: node, key });
    if (typeof part !== 'string') continue;
    const fault = textFault(part);
    if (fault) addError(errors, { node, key }, fault);
    else if (part !== part.normalize('NFC')) set(container, key, part.normalize('NFC'));
  }
}

/** Returns the value of a JSON text; undefined for any other text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isContainer = (part: unknown): part is Node['container'] => part !== null && typeof part === 'object';

/** Returns whether a JSON value has arrays and objects nested in more than `most` levels. Without recursion. */
export function isNestedDeeper(value: unknown, most: number): boolean {
  let level = [value].filter(isContainer);
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > most) return true;
    level = level.flatMap((container) => Object.values(container)).filter(isContainer);
  }
  return false;
}

/** Defines a property. Assigning to `__proto__` would change the prototype instead. */
function set(container: object, key: string, value: unknown): void {
  Object.defineProperty(container, key, { value, writable: true, enumerable: true, configurable: true });
}

function renameKeys(container: Record<string, unknown>, node: Node, errors: Map<string, string[]>): void {
  const entries = Object.entries(container);
  const faulty = entries.filter(([key]) => nameFault(key) !== null);
  for (const [key] of faulty) addError(errors, { node, key }, nameFault(key) ?? '');
  if (faulty.length > 0 || entries.every(([key]) => key === key.normalize('NFC'))) return;
  for (const [key] of entries) delete container[key];
  for (const [key, part] of entries) {
    const name = key.normalize('NFC');
    if (Object.hasOwn(container, name)) addError(errors, { node, key: name }, 'must not occur twice');
    set(container, name, part);
  }
}

/** Adds a message about the property `key` of a node, up to {@link MAX_ERRORS}. */
function addError(errors: Map<string, string[]>, { node, key }: Property, message: string): void {
  if (errors.size >= MAX_ERRORS) return;
  const path = [firstOf(key, MAX_NAME_LENGTH)];
  // The outermost two are the wrapper around the body and the body itself.
  for (let at = node; at.parent?.parent && path.length < MAX_PATH_NAMES; at = at.parent) {
    path.unshift(firstOf(at.key, MAX_NAME_LENGTH));
  }
  errors.set(node.parent ? path.join('.').toWellFormed() : 'body', [message]);
}
