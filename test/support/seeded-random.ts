/** Returns random numbers from a seed (mulberry32), so that a failure can be reproduced. */
export function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Returns one of a list. */
export function pickFrom<T>(list: readonly T[], luck: () => number): T {
  const one = list[Math.floor(luck() * list.length)];
  if (one === undefined) throw new Error('There is nothing to pick from');
  return one;
}

/** Returns a list in another order (Fisher-Yates). */
export function shuffled<T>(list: readonly T[], luck: () => number): T[] {
  const left = [...list];
  return list.map(() => left.splice(Math.floor(luck() * left.length), 1)[0] as T); // as many as there are
}
