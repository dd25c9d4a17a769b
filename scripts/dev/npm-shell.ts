/** The process that started this one. */
const parent = process.ppid;

/**
 * Calls `stop` once the shell in which `npm run` started this process is gone: npm passes SIGTERM to that shell alone, so
 * `kill` of npm would leave this process behind. Does nothing in a process that npm did not start.
 */
export function onShellGone(stop: () => void): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    stop();
  }, 500);
  timer.unref();
}
