/** Starts a second `npm run dev` on the data of a first. */
import { equal, match } from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { freePort } from './free-port.ts';

const folder = mkdtempSync(join(tmpdir(), 'claim-'));
after(() => rmSync(folder, { recursive: true }));

test('a second server is refused the folder of one that runs, and not of one that was killed', {
  timeout: 60_000,
}, async () => {
  const claim = join(import.meta.dirname, 'claim.ts');
  const source = `(await import(${JSON.stringify(claim)})).claim(${JSON.stringify(folder)}); console.log('claimed'); setInterval(() => {}, 1_000);`;
  const first = execFile(process.execPath, ['--input-type=module', '--eval', source]);
  after(() => first.kill('SIGKILL'));
  if (!first.stdout) throw new Error('no output');
  match(String((await once(first.stdout, 'data'))[0]), /claimed/);

  const options = ['--port', String(await freePort()), '--persist-to', folder];
  const second = spawnSync(process.execPath, [join(import.meta.dirname, 'dev.ts'), ...options], {
    encoding: 'utf8',
    timeout: 30_000,
  });
  match(second.stderr, new RegExp(`^Another npm run dev uses the data in ${folder}\\.[^\n]+\n$`));
  equal(second.stdout.includes('Applying'), false);
  equal(second.status, 1);

  first.kill('SIGKILL');
  await once(first, 'close');
  const third = spawnSync(process.execPath, ['--input-type=module', '--eval', `${source} process.exit();`]);
  equal(String(third.stdout), 'claimed\n');
});
