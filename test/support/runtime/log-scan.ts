import { env } from 'cloudflare:workers';
import { onTestFinished, vi } from 'vitest';
import { areOthers } from './own-tenants.ts';

/** What no line of the log may hold: the service's tokens and secrets, e-mail addresses, hashes, JWKs. */
const SECRETS = [
  /sfe_(live|test)_\d/,
  /\b(cs|ck|whsec|pr)_[\w-]{16,}/,
  /[\w.+-]+@[\w-]+\.\w/,
  /\bBearer /i,
  /"route":"[^"]*\?/,
  /\$scrypt\$/,
  /"d":"/,
];

let found: string[] = [];
/** The ids of the requests whose errors were logged. */
const failed = new Set<string>();
let scanned = false;

/** Returns whether a line holds a secret: by its form, or one of the environment's own. */
export const holdsSecret = (line: string): boolean =>
  SECRETS.some((pattern) => pattern.test(line)) ||
  [env.SUPER_ADMIN_TOKEN, env.MASTER_KEY_V1].some((secret) => line.includes(secret));

/**
 * Scans all that the Worker logs in a run for secrets. Lines about requests, one for each of many thousands, are
 * scanned but not printed.
 */
export function scanLog(): void {
  found = [];
  if (scanned) return;
  scanned = true;
  for (const level of ['log', 'warn', 'error'] as const) {
    const print = console[level].bind(console);
    console[level] = (...words: unknown[]) => {
      const line = words.map(String).join(' ');
      // What a test or a library prints is not the Worker's log.
      if (!line.startsWith('{"event":')) return print(...words);
      if (holdsSecret(line)) found.push(line);
      if (line.startsWith('{"event":"error"')) failed.add(JSON.parse(line).request_id);
      if (!line.startsWith('{"event":"request"')) print(...words);
    };
  }
}

/** Returns the lines with a secret since {@link scanLog}. */
export const secretsInLog = (): readonly string[] => found;

/** Returns whether an error of this request was logged. */
export const hasLoggedError = (requestId: string): boolean => failed.has(requestId);

/**
 * Silences a level of the log until the test ends. Returns a function that returns its lines so far, parsed, but for
 * those about tenants of other tests.
 */
export function watchLog(level: 'log' | 'warn' | 'error'): () => Record<string, unknown>[] {
  const print = vi.spyOn(console, level).mockReturnValue();
  onTestFinished(() => print.mockRestore());
  return () =>
    print.mock.calls
      .map(([line]): Record<string, unknown> => JSON.parse(String(line)))
      .filter(({ tenant }) => !areOthers([tenant]));
}
