/**
 * Runs a Node program with all that it starts as one process group, and ends the whole group as soon as
 * its own standard input closes: however whoever started it ends, kill -9 included, nothing stays behind.
 * Must itself be started with `detached: true`, so that it leads the group. Exits as the program did.
 */
import { spawn } from 'node:child_process';

const group = -process.pid;

const program = spawn(process.execPath, process.argv.slice(2), { stdio: ['ignore', 'inherit', 'inherit'] });
program.on('exit', (code) => {
  process.kill(group, 'SIGTERM');
  process.exit(code ?? 1);
});

process.on('SIGTERM', () => setTimeout(() => process.kill(group, 'SIGKILL'), 3_000));
process.stdin.resume().on('close', () => process.kill(group, 'SIGTERM'));
