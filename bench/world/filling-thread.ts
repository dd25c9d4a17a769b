/** A thread that fills the tenants of one shard after the other. */
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import type { DatabaseFiles, Filling, fillFiles } from './filling.ts';

/** What a thread fills, with the module that exports `fillFiles`. */
export interface Share {
  readonly module: string;
  readonly fillings: readonly { readonly files: DatabaseFiles; readonly filling: Filling }[];
}

const { module, fillings }: Share = workerData;
const { fillFiles: fill }: { fillFiles: typeof fillFiles } = await import(pathToFileURL(module).href);
for (const { files, filling } of fillings) await fill(files, filling);
parentPort?.postMessage('done');
