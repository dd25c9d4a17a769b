/**
 * Lets work run to its end, where it releases what it holds, also when its client disconnects: the runtime cancels a
 * request otherwise wherever it waits.
 */
export function toItsEnd<T>(ctx: Pick<ExecutionContext, 'waitUntil'>, work: Promise<T>): Promise<T> {
  ctx.waitUntil(work.catch(() => undefined));
  return work;
}
