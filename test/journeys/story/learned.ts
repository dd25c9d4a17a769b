/** A value that the service makes anew each time, with its kind before the first `_`: `ord_…`, `whsec_…`. */
const TOKEN = /^[a-z]+_/;
const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const SEPARATORS = /[/?=&.]/;
/** An HMAC-SHA-256 in base64url. */
const SIGNATURE = /^[\w-]{43}$/;
/** The name of a product feed's file, which is signed. */
const FEED_FILE = /^fd_1-\w{24}_1\w{32}$/;
/** An application's token, with its tenant's id. */
const APPLICATION_TOKEN = /^sfe_live_(\d+)-/;
/** Numbers that depend on the moment. */
const MEASURED = /\.(duration_ms|iat|exp|sequence)$/;

/**
 * What the document's tokens and ids are in this run. Everything else in an answer has to be as its example
 * says: names, amounts, numeric ids (the story runs on an empty service), and which fields there are.
 */
export class Learned {
  private readonly real = new Map<string, string>();
  /** The tenant's id, which is 1 in the document: it depends on the moment. */
  private tenantId = '1';

  /** Returns an example request's value with the tokens of this run. */
  apply<T>(value: T): T {
    const text = JSON.stringify(value, (_, part) =>
      typeof part === 'string' ? (this.real.get(part) ?? part) : part,
    );
    return text === undefined ? value : JSON.parse(text);
  }

  /** Compares an answer with its example and remembers the tokens. Returns the paths that differ. */
  compare(example: unknown, real: unknown, path = ''): string[] {
    if (typeof example === 'string' && typeof real === 'string') {
      return this.sameText(example, real, path) ? [] : [`${path}: "${example}" is "${real}"`];
    }
    if (isObject(example) && isObject(real)) {
      return [...new Set([...Object.keys(example), ...Object.keys(real)])].flatMap((key) =>
        this.compare(example[key], real[key], `${path}.${key}`),
      );
    }
    const same = example === this.shown(real) || (MEASURED.test(path) && typeof example === typeof real);
    return same ? [] : [`${path}: ${JSON.stringify(example)} is ${JSON.stringify(real)}`];
  }

  /** Returns a value of this run with the tenant's id of the document. */
  private shown(real: unknown): unknown {
    return String(real) === this.tenantId ? 1 : real;
  }

  private sameText(example: string, answered: string, path: string): boolean {
    const known = this.real.get(example);
    if (known !== undefined) return known === answered;
    this.tenantId = APPLICATION_TOKEN.exec(answered)?.[1] ?? this.tenantId;
    const real = answered.replaceAll(this.tenantId, '1');
    if (example === real || (INSTANT.test(example) && INSTANT.test(real))) return true;
    // The position in a cursor may be an instant; the list that it continues is not.
    if (path.endsWith('.next_cursor')) return listOf(example) !== null && listOf(example) === listOf(real);
    const [mine, its] = [example.split(SEPARATORS), real.split(SEPARATORS)];
    if (mine.length > 1) {
      return mine.length === its.length && mine.every((part, n) => this.samePart(part, its[n] ?? '', path));
    }
    const kind = TOKEN.exec(example)?.[0];
    if (!kind || !real.startsWith(kind) || example.length !== real.length) return false;
    this.real.set(example, answered);
    return true;
  }

  /** Compares a part of a URL or of a JWS in it, whose claims have to agree, and whose signature cannot. */
  private samePart(example: string, real: string, path: string): boolean {
    const claims = decoded(example);
    if (isObject(claims)) return this.compare(claims, decoded(real), path).length === 0;
    const signed = [SIGNATURE, FEED_FILE].some((form) => form.test(example) && form.test(real));
    return example === real || signed;
  }
}

const isObject = (part: unknown): part is Record<string, unknown> =>
  part !== null && typeof part === 'object';

/** Returns the list that a cursor continues, or null. */
function listOf(cursor: string): unknown {
  const parts = decoded(cursor);
  return Array.isArray(parts) ? parts[1] : null;
}

function decoded(part: string): unknown {
  try {
    return JSON.parse(atob(part.replaceAll('-', '+').replaceAll('_', '/')));
  } catch {
    return null;
  }
}
