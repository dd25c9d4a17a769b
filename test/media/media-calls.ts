import { DATABASES, interceptBindings } from '../support/faults/bindings.ts';

/** The Worker with the calls of its storage bindings written down. */
export function counted(images = true) {
  const calls: string[] = [];
  const watchedEnv = interceptBindings(
    [...DATABASES, 'CACHE', 'MEDIA', 'TENANT', 'RATE_LIMITER'],
    (name, call) => {
      calls.push(name);
      return call();
    },
  );
  const { IMAGES, ...without } = watchedEnv;
  return { calls, env: (images ? { ...without, IMAGES } : without) as Env };
}
