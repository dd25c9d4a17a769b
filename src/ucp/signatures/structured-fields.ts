/**
 * Structured field values (RFC 8941) as HTTP Message Signatures use them: dictionaries of items and inner
 * lists. Parsing is strict, as section 4.2 demands, and bounded. No I/O.
 */

/** A bare item (RFC 8941, 3.3). */
export type BareItem =
  | { readonly type: 'integer' | 'decimal'; readonly value: number }
  | { readonly type: 'string' | 'token'; readonly value: string }
  | { readonly type: 'bytes'; readonly value: Uint8Array<ArrayBuffer> }
  | { readonly type: 'boolean'; readonly value: boolean };

/** Parameters of an item or inner list, in their order. */
export type Parameters = ReadonlyMap<string, BareItem>;

/** An item with its parameters. */
export interface Item {
  readonly bare: BareItem;
  readonly parameters: Parameters;
}

/** An inner list with its parameters. */
export interface InnerList {
  readonly items: readonly Item[];
  readonly parameters: Parameters;
}

/** A dictionary, in the order of its keys. */
export type Dictionary = ReadonlyMap<string, Item | InnerList>;

/** The longest field value that is parsed, in UTF-16 units. Longer ones are refused unread. */
const MAX_FIELD_LENGTH = 8_192;

/** Returns a string item without parameters. */
export const stringItem = (value: string): Item => ({
  bare: { type: 'string', value },
  parameters: new Map(),
});

/** Returns whether a dictionary's member is an inner list. */
export const isInnerList = (member: Item | InnerList | undefined): member is InnerList =>
  member !== undefined && 'items' in member;

/** Returns the value of a string item, or `null` for anything else. */
export const stringValue = (bare: BareItem | undefined): string | null =>
  bare?.type === 'string' ? bare.value : null;

/** Returns the value of an integer item, or `null` for anything else. */
export const integerValue = (bare: BareItem | undefined): number | null =>
  bare?.type === 'integer' ? bare.value : null;

/** Parses a dictionary (RFC 8941, 4.2.2). Returns `null` if any part of it is malformed. */
export function parseDictionary(text: string): Dictionary | null {
  if (text.length > MAX_FIELD_LENGTH) return null;
  try {
    // The lookbehind keeps it linear: else each of many spaces would be followed to the last of them.
    return new Parser(text.replace(/^ +|(?<! ) +$/g, '')).dictionary();
  } catch (error) {
    if (error instanceof Malformed) return null;
    throw error;
  }
}

/** Serializes an inner list with its parameters (RFC 8941, 4.1.1.1). */
export const serializeInnerList = ({ items, parameters }: InnerList): string =>
  `(${items.map(serializeItem).join(' ')})${serializeParameters(parameters)}`;

/** Serializes an item with its parameters (RFC 8941, 4.1.3). */
export const serializeItem = ({ bare, parameters }: Item): string =>
  `${serializeBare(bare)}${serializeParameters(parameters)}`;

/** Serializes bytes (RFC 8941, 4.1.8). */
export const serializeBytes = (bytes: Uint8Array): string => `:${Buffer.from(bytes).toString('base64')}:`;

const serializeParameters = (parameters: Parameters): string =>
  [...parameters]
    .map(([key, bare]) =>
      bare.type === 'boolean' && bare.value ? `;${key}` : `;${key}=${serializeBare(bare)}`,
    )
    .join('');

function serializeBare(bare: BareItem): string {
  switch (bare.type) {
    case 'integer':
    case 'token':
      return String(bare.value);
    case 'decimal':
      return Number.isInteger(bare.value) ? `${bare.value}.0` : String(bare.value);
    case 'string':
      return `"${bare.value.replace(/["\\]/g, '\\$&')}"`;
    case 'bytes':
      return serializeBytes(bare.value);
    case 'boolean':
      return bare.value ? '?1' : '?0';
  }
}

/** Thrown only inside this file. */
class Malformed extends Error {}

const KEY = /[a-z*][a-z0-9_.*-]*/y;
const NUMBER = /-?(?:\d{1,12}\.\d{1,3}(?!\d)|\d{1,15}(?![\d.]))/y;
const STRING = /"((?:[ !#-[\]-~]|\\["\\])*)"/y;
const TOKEN = /[A-Za-z*][\w:/!#$%&'*+.^`|~-]*/y;
const BYTES = /:([A-Za-z0-9+/]*={0,2}):/y;
const BOOLEAN = /\?([01])/y;
const COMMA = /[ \t]*,[ \t]*/y;
const SPACES = / +/y;

class Parser {
  private at = 0;

  constructor(private readonly text: string) {}

  dictionary(): Dictionary {
    const members = new Map<string, Item | InnerList>();
    while (this.at < this.text.length) {
      const key = this.expect(KEY)[0];
      const value = this.skip('=') ? this.member() : { bare: TRUE, parameters: this.parameters() };
      // A repeated key takes the place of the last one.
      members.delete(key);
      members.set(key, value);
      if (this.at === this.text.length) break;
      this.expect(COMMA);
      if (this.at === this.text.length) throw new Malformed();
    }
    return members;
  }

  private member = (): Item | InnerList => (this.skip('(') ? this.innerList() : this.item());

  private innerList(): InnerList {
    const items: Item[] = [];
    for (;;) {
      const spaced = this.match(SPACES) !== null;
      if (this.skip(')')) return { items, parameters: this.parameters() };
      if (items.length > 0 && !spaced) throw new Malformed();
      items.push(this.item());
    }
  }

  private item = (): Item => ({ bare: this.bare(), parameters: this.parameters() });

  private parameters(): Parameters {
    const parameters = new Map<string, BareItem>();
    while (this.skip(';')) {
      this.match(SPACES);
      const key = this.expect(KEY)[0];
      const value = this.skip('=') ? this.bare() : TRUE;
      parameters.delete(key);
      parameters.set(key, value);
    }
    return parameters;
  }

  private bare(): BareItem {
    const next = this.text[this.at] ?? '';
    if (next === '"') {
      return { type: 'string', value: (this.expect(STRING)[1] ?? '').replace(/\\(["\\])/g, '$1') };
    }
    if (next === ':') {
      return { type: 'bytes', value: new Uint8Array(Buffer.from(this.expect(BYTES)[1] ?? '', 'base64')) };
    }
    if (next === '?') return { type: 'boolean', value: this.expect(BOOLEAN)[1] === '1' };
    if (/[\d-]/.test(next)) {
      const [number] = this.expect(NUMBER);
      return { type: number.includes('.') ? 'decimal' : 'integer', value: Number(number) };
    }
    return { type: 'token', value: this.expect(TOKEN)[0] };
  }

  private skip(character: string): boolean {
    const found = this.text[this.at] === character;
    if (found) this.at += 1;
    return found;
  }

  private match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found) this.at = pattern.lastIndex;
    return found;
  }

  private expect(pattern: RegExp): RegExpExecArray {
    const found = this.match(pattern);
    if (!found) throw new Malformed();
    return found;
  }
}

const TRUE: BareItem = { type: 'boolean', value: true };
