/**
 * Returns a promise that other requests may await. workerd tags a promise with its request, so that each
 * awaiting request resumes in its own I/O context. V8's compiled code omits the tag on promises of async
 * functions and of `then`: a request that awaits one resumes in the creator's context and can neither read
 * a body nor send a response. Promise.withResolvers() always sets the tag.
 */
export function shareable<T>(work: Promise<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  work.then(resolve, reject);
  return promise;
}
