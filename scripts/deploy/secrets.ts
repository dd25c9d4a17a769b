import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fillIn } from '../dev/secrets.ts';
import { jsonList, type Wrangler } from './wrangler.ts';

/** The secrets that a deployment can't run without. */
export const REQUIRED_SECRETS = ['SUPER_ADMIN_TOKEN', 'MASTER_KEY_V1'] as const;

/** Settings of a developer's machine, which must not reach production. */
export const LOCAL_ONLY = ['DEV_ALLOW_LOCAL_URLS', 'DEV_DEFAULT_PAYMENTS'] as const;

/** Wrangler's message for a Worker that doesn't exist. It must match no other failure: `deploy` would replace the secrets. */
const NO_WORKER = /Worker "[^"\n]*"[^"\n]* not found\./;

/** Returns the names of the Worker's secrets; none while the Worker doesn't exist. */
export async function secretNames(run: Wrangler): Promise<readonly string[]> {
  const { ok, output } = await run('secret', 'list', '--format', 'json');
  if (!ok && NO_WORKER.test(output)) return [];
  if (!ok) throw new Error(`wrangler secret list failed.\n${output}`);
  return jsonList(output).map((one) => String(one.name));
}

/** Returns the required secrets that are missing. A later master key stands for the first. */
export const missingSecrets = (present: readonly string[]): string[] =>
  REQUIRED_SECRETS.filter(
    (name) =>
      !present.includes(name) &&
      !(name === 'MASTER_KEY_V1' && present.some((one) => one.startsWith('MASTER_KEY_V'))),
  );

/**
 * Returns the lines of these secrets for an .env file. Values that `file` holds are taken from it: an interrupted
 * deployment may have uploaded them. Others are made at random, as the example says, and added to `file`.
 */
export function keepSecrets(file: string, names: readonly string[], example: string): string {
  const kept = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const fresh = fillIn(readFileSync(example, 'utf8'));
  const lineOf = (text: string, name: string) => new RegExp(`^${name}=.+$`, 'm').exec(text)?.[0];
  const lines = names.map((name) => lineOf(kept, name) ?? lineOf(fresh, name) ?? '');
  const added = lines.filter((line) => !kept.includes(line));
  const before = kept === '' || kept.endsWith('\n') ? kept : `${kept}\n`;
  writeFileSync(file, before + added.map((line) => `${line}\n`).join(''), { mode: 0o600 });
  return lines.map((line) => `${line}\n`).join('');
}
