/**
 * Reads the arguments of the scripts: `--help` prints the usage and ends with 0, a wrong argument prints one sentence
 * and ends with 1.
 */

/** What a script's `parseArgs` returns. */
interface Parsed {
  readonly values: { readonly help?: boolean | undefined };
}

/** Prints why the arguments can't be used, and ends the process with 1. */
export function refuse(reason: string): never {
  console.error(reason);
  process.exit(1);
}

/** Returns what `parse` returns. Prints `usage` for `--help`, refuses what `parse` throws for. */
export function readArguments<T extends Parsed>(usage: string, parse: () => T): T {
  const parsed = attempt(parse);
  if (!parsed.values.help) return parsed;
  console.log(usage);
  return process.exit(0);
}

function attempt<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    // Node adds advice for arguments that begin with a dash, which no script takes.
    return refuse(error instanceof Error ? (error.message.split(/\.\s/)[0] ?? '') : String(error));
  }
}

/** Returns an option's whole number. Refuses anything else, and what is not between `least` and `most`. */
export function wholeNumber(option: string, text: string, least: number, most: number): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  return refuse(
    `${option} must be a whole number between ${least} and ${most}, not ${JSON.stringify(text)}.`,
  );
}

/** Returns a port. Refuses what is none. */
export const portNumber = (text: string): number => wholeNumber('--port', text, 1, 65_535);

/** Returns an http or https URL without slashes at its end. Refuses anything else. */
export function webUrl(option: string, text: string): string {
  if (/^https?:$/.test(URL.parse(text)?.protocol ?? '')) return text.replace(/\/+$/, '');
  return refuse(`${option} must be a URL such as http://127.0.0.1:8787, not ${JSON.stringify(text)}.`);
}

/** Returns an option's value. Refuses an option that is missing. */
export function required(option: string, value: string | undefined): string {
  return value ? value : refuse(`${option} is missing: --help lists all options.`);
}

/** Returns the token of `--token`, without spaces around it. Refuses one that no header takes, and doesn't print it. */
export function bearerToken(value: string | undefined): string {
  const token = required('--token', value?.trim());
  // Errors of fetch would show it.
  return /^[!-~]+$/.test(token) ? token : refuse('--token must be one line of letters, digits and signs.');
}

/** Returns why something failed, for the person at the terminal: fetch's own message is "fetch failed". */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
