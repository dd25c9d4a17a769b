import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';

const module = join(import.meta.dirname, 'npm-shell.ts');
const PROGRAM = `import { onShellGone } from ${JSON.stringify(module)};
onShellGone(() => { console.log('stopped'); process.exit(); });
console.log('started');
setTimeout(() => { console.log('left'); process.exit(); }, 3_000);`;

/** Starts the program in a shell, kills the shell, and returns what the program says afterwards. */
async function afterKill(env: NodeJS.ProcessEnv): Promise<string> {
  const command = `"${process.execPath}" --input-type=module -e "$PROGRAM"; true`;
  const shell = spawn('sh', ['-c', command], {
    env: { ...env, PROGRAM },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface(shell.stdout);
  const [started] = await once(lines, 'line');
  assert.equal(started, 'started');
  shell.kill();
  const [last] = await once(lines, 'line');
  return last;
}

const { npm_lifecycle_event: _, ...byHand } = process.env;

test('a process started by npm stops when npm is stopped', async () => {
  assert.equal(await afterKill({ ...byHand, npm_lifecycle_event: 'dev' }), 'stopped');
});

test('a process started by hand outlives its shell', async () => {
  assert.equal(await afterKill(byHand), 'left');
});
