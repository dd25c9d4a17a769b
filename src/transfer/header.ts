import { digest62, keyVersions } from '../kernel/crypto/crypto.ts';
import type { TransferHeader } from './schemas.ts';

/** The version of the records' form. */
const FORMAT = 1;
const PURPOSE = 'transfer-fingerprint';

/** Returns the header of an export from this deployment, and of an import that it takes. */
export async function headerOf(env: Env): Promise<TransferHeader> {
  const last = await env.DB.prepare('SELECT name FROM d1_migrations ORDER BY id DESC LIMIT 1').first<string>(
    'name',
  );
  const keys = keyVersions(env).map((version) => [
    version,
    digest62({ env, version, purpose: PURPOSE }, 'fingerprint', 20),
  ]);
  return { format: FORMAT, schema: last ?? '', keys: Object.fromEntries(keys) };
}

/** Returns the versions of the exporting deployment's master keys that this one doesn't have. */
export const unreadableKeys = (exported: TransferHeader, own: TransferHeader): string[] =>
  Object.keys(exported.keys).filter((version) => exported.keys[version] !== own.keys[version]);
