import { randomBytes, randomInt } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Returns `length` random letters and digits. */
const base62 = (length: number): string =>
  Array.from({ length }, () => BASE62.charAt(randomInt(BASE62.length))).join('');

/** Fills in the placeholders of .dev.vars.example: <random:N> and <random-base64:N>. */
export const fillIn = (example: string): string =>
  example
    .replace(/^(\w+=)<random:(\d+)>$/gm, (_, key, length) => key + base62(Number(length)))
    .replace(
      /^(\w+=)<random-base64:(\d+)>$/gm,
      (_, key, length) => key + randomBytes(Number(length)).toString('base64'),
    );

/** Creates `file` from the example (mode 0600) unless it exists. Returns whether it was created. */
export function makeSecrets(file: string, example: string): boolean {
  if (existsSync(file)) return false;
  writeFileSync(file, fillIn(readFileSync(example, 'utf8')), { mode: 0o600 });
  return true;
}

/** Returns a value of a .dev.vars file; throws when it is missing. */
export function secret(file: string, key: string): string {
  const match = new RegExp(`^${key}=(.+)$`, 'm').exec(readFileSync(file, 'utf8'));
  if (!match?.[1]) throw new Error(`${file} has no ${key}. Delete the file to create it again.`);
  return match[1].trim().replace(/^(["'])(.*)\1$/, '$2');
}

/** Sets a value of a .dev.vars file. Returns whether the file changed. */
export function setSecret(file: string, key: string, value: string): boolean {
  const text = readFileSync(file, 'utf8');
  const others = text.replace(new RegExp(`^${key}=.*\\n?`, 'm'), '').replace(/\n*$/, '\n');
  const next = `${others}${key}=${value}\n`;
  if (text === next) return false;
  writeFileSync(file, next, { mode: 0o600 });
  return true;
}
