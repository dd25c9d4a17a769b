import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks of /proc per second: 100 on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};

/** Returns the workerd child processes; none without /proc. */
export const workerds = (): number[] =>
  (read('/proc/self/stat') ? readdirSync('/proc') : [])
    .map(Number)
    .filter((pid) => pid && read(`/proc/${pid}/comm`).trim() === 'workerd')
    .filter((pid) => Number(/\) \S (\d+)/.exec(read(`/proc/${pid}/stat`))?.[1]) === process.pid);

/** Returns the CPU seconds of a process, user and system (proc_pid_stat(5), fields 14 and 15). */
export function cpuSeconds(pid: number): number {
  const fields = read(`/proc/${pid}/stat`)
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Returns the resident memory of a process, in MiB. */
export const memory = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1] ?? Number.NaN) / 1024;
