import { readdirSync, readFileSync } from 'node:fs';

/** How many of /proc's clock ticks make a second: 100 on every Linux that Node runs on. */
const TICKS = 100;

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};

/** The workerd processes that this one started; none where there is no /proc. */
export const workerds = (): number[] =>
  (read('/proc/self/stat') ? readdirSync('/proc') : [])
    .map(Number)
    .filter((pid) => pid && read(`/proc/${pid}/comm`).trim() === 'workerd')
    .filter((pid) => Number(/\) \S (\d+)/.exec(read(`/proc/${pid}/stat`))?.[1]) === process.pid);

/** Seconds of CPU that a process has used, user and system (proc_pid_stat(5), fields 14 and 15). */
export function cpuSeconds(pid: number): number {
  const fields = read(`/proc/${pid}/stat`)
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

/** Resident memory of a process, in MiB. */
export const memory = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1] ?? Number.NaN) / 1024;
