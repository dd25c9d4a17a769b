/**
 * Asks an object up to three times; answers whether one of the tries worked. Each has to take a new stub: a
 * broken one stays broken.
 */
export async function retry(attempt: () => Promise<unknown>): Promise<boolean> {
  for (let tries = 0; tries < 3; tries++) {
    try {
      await attempt();
      return true;
    } catch {
      // The next try may find the object again.
    }
  }
  return false;
}
