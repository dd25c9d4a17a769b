/**
 * Runs a Node program and its children as one process group, and ends the group when its standard input closes.
 * Nothing is left behind however the parent ends, kill -9 included. Must be started with `detached: true`, so
 * that it leads the group. Exits with the program's exit code.
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
