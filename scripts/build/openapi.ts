/**
 * Writes the OpenAPI document that the built Worker serves to dist/openapi.json, and lints it with Redocly
 * (redocly.yaml). Exits with the linter's status.
 */
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run, SERVICE } from './bundle.ts';

const root = join(import.meta.dirname, '../..');
const file = join(root, 'dist/openapi.json');

// Without a master key, the service rejects every request, including the one for its OpenAPI document.
const worker = await run(SERVICE, 'worker', { MASTER_KEY_V1: randomBytes(32).toString('base64') });
try {
  const answer = await fetch(new URL('/v1/openapi.json', worker.url));
  if (!answer.ok) throw new Error(`/v1/openapi.json responded with ${answer.status}`);
  writeFileSync(file, `${JSON.stringify(await answer.json(), null, 2)}\n`);
} finally {
  await worker.stop();
}

const redocly = join(root, 'node_modules/.bin/redocly');
const lint = spawnSync(redocly, ['lint', file], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
});
process.exit(lint.status ?? 1);
