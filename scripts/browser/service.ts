import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { secret } from '../secrets.ts';
import { portIsFree } from '../server.ts';

const root = join(import.meta.dirname, '../..');

/** `npm run dev`, as it runs for the journey. */
export interface Service {
  /** Where it answers: `http://127.0.0.1:8980`. */
  readonly base: string;
  /** The super-admin's token. */
  readonly admin: string;
  /** Where it keeps its data. */
  readonly folder: string;
  stop(): Promise<void>;
}

async function freePort(): Promise<number> {
  for (let port = 8_980; port < 9_080; port++) if (await portIsFree(port)) return port;
  throw new Error('No port is free.');
}

/** Starts `npm run dev` on data of its own, which is gone when it stops. */
export async function startService(): Promise<Service> {
  const folder = mkdtempSync(join(tmpdir(), 'storefront-edge-'));
  const port = await freePort();
  const dev = spawn(
    process.execPath,
    [join(root, 'scripts/dev.ts'), '--port', String(port), '--persist-to', folder],
    { cwd: root },
  );
  const ended = new Promise<void>((resolve) => dev.on('close', () => resolve()));
  let said = '';
  for (const stream of [dev.stdout, dev.stderr]) stream.on('data', (data) => (said += data));
  for (const begun = Date.now(); !said.includes('is running'); await sleep(200)) {
    if (dev.exitCode !== null || Date.now() - begun > 240_000) {
      dev.kill();
      throw new Error(`npm run dev did not start:\n${said}`);
    }
  }
  const stop = async () => {
    dev.kill();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  const admin = secret(join(root, '.dev.vars'), 'SUPER_ADMIN_TOKEN');
  return { base: `http://127.0.0.1:${port}`, admin, folder, stop };
}
