import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ContractProxy, startContractProxy } from '../contract/proxy.ts';
import { secret } from '../dev/secrets.ts';
import { portIsFree } from '../dev/server.ts';

const root = join(import.meta.dirname, '../..');

/** `npm run dev`, as it runs for the journey, behind a proxy that compares its API with its document. */
export interface Service {
  /** The proxy's origin: `http://127.0.0.1:8980`. */
  readonly base: string;
  readonly contract: Pick<ContractProxy, 'faults' | 'compared'>;
  /** The super-admin's token. */
  readonly admin: string;
  /** Where it keeps its data. */
  readonly folder: string;
  stop(): Promise<void>;
}

async function freePort(from = 8_980): Promise<number> {
  for (let port = from; port < 9_080; port++) if (await portIsFree(port)) return port;
  throw new Error('No port is free.');
}

/** Starts `npm run dev` on data of its own, which is gone when it stops. */
export async function startService(): Promise<Service> {
  const folder = mkdtempSync(join(tmpdir(), 'storefront-edge-'));
  const port = await freePort();
  const behind = await freePort(port + 1);
  const contract = await startContractProxy(`http://127.0.0.1:${behind}`, port);
  const dev = spawn(
    process.execPath,
    [
      join(root, 'scripts/dev/dev.ts'),
      ...['--port', String(behind), '--persist-to', folder, '--public-url', contract.url],
    ],
    { cwd: root },
  );
  const ended = new Promise<void>((resolve) => dev.on('close', () => resolve()));
  let said = '';
  for (const stream of [dev.stdout, dev.stderr]) stream.on('data', (data) => (said += data));
  for (const begun = Date.now(); !said.includes('is running'); await sleep(200)) {
    if (dev.exitCode !== null || Date.now() - begun > 240_000) {
      contract.stop();
      dev.kill();
      throw new Error(`npm run dev did not start:\n${said}`);
    }
  }
  const stop = async () => {
    contract.stop();
    dev.kill();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  const admin = secret(join(root, '.dev.vars'), 'SUPER_ADMIN_TOKEN');
  return { base: contract.url, contract, admin, folder, stop };
}
