import nodeCrypto, { type BinaryLike, type ScryptOptions } from 'node:crypto';
import { onTestFinished } from 'vitest';

const scrypt = nodeCrypto.scryptSync;

const atThousandthOfCost = (password: BinaryLike, salt: BinaryLike, length: number, cost?: ScryptOptions) =>
  scrypt(password, salt, length, { N: Math.max(2, (cost?.N ?? 0) >> 10), r: 8, p: 1 });

/**
 * Hashes passwords at a thousandth of their cost, which is 0.2 s of CPU: hundreds of tests sign somebody in. Hashes
 * of different costs still differ.
 */
export const cheapPasswordHashes = (): void => {
  Object.assign(nodeCrypto, { scryptSync: atThousandthOfCost });
};

/** Hashes passwords at their full cost until the test ends: for tests of that cost. */
export const realPasswordHashes = (): void => {
  Object.assign(nodeCrypto, { scryptSync: scrypt });
  onTestFinished(cheapPasswordHashes);
};
