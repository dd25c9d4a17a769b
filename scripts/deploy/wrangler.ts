import { spawn } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** What a command printed, and whether it succeeded. */
export interface Outcome {
  readonly ok: boolean;
  readonly output: string;
}

/** Runs wrangler with these arguments. */
export type Wrangler = (...args: readonly string[]) => Promise<Outcome>;

/** Runs the project's own wrangler, which asks no questions. */
export const wrangler: Wrangler = (...args) =>
  new Promise((resolve, reject) => {
    const command = join(root, 'node_modules/wrangler/bin/wrangler.js');
    const env = { ...process.env, CI: 'true', NO_COLOR: '1', WRANGLER_HIDE_BANNER: 'true' };
    const child = spawn(process.execPath, [command, ...args], {
      cwd: root,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
    child.once('error', reject);
    child.once('close', (code) => resolve({ ok: code === 0, output }));
  });

/** Returns the output of a command. Throws an error with the output if the command fails. */
export async function demand(run: Wrangler, ...args: readonly string[]): Promise<string> {
  const { ok, output } = await run(...args);
  // What it says without a login and a terminal to ask in.
  if (!ok && output.includes('necessary to set a CLOUDFLARE_API_TOKEN'))
    throw new Error('wrangler is not logged in: run npx wrangler login, or set CLOUDFLARE_API_TOKEN.');
  if (!ok) throw new Error(`wrangler ${args.join(' ')} failed.\n${output}`);
  return output;
}

/** Returns the JSON list that a command printed, whatever it printed around it. */
export function jsonList(output: string): readonly Readonly<Record<string, unknown>>[] {
  const text = /^\[[\s\S]*^\]|^\[.*\]$/m.exec(output)?.[0];
  if (text === undefined) throw new Error(`wrangler printed no list.\n${output}`);
  return JSON.parse(text);
}
