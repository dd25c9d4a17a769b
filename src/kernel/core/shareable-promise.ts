/**
 * A promise that other requests may wait for: each goes on as itself. workerd brings a waiting request back
 * to itself by a tag on the promise, which V8's compiled code leaves out of promises that it makes by itself
 * (those of async functions, and of `then`): whoever waits for such a one goes on as the request that made
 * it, and can read no body and send no answer. Promise.withResolvers() always tags.
 */
export function shareable<T>(work: Promise<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  work.then(resolve, reject);
  return promise;
}
