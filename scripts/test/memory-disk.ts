/**
 * Puts the temporary files of this process and its children in memory where the system has a file system for that
 * (Linux). The stores of a test or a benchmark are files in the temporary folder, and workerd waits for the disk at
 * each commit: on a disk, that is half of the time of making a tenant. `TMPDIR`, where set, is left as it is.
 */
import { accessSync, constants, statfsSync } from 'node:fs';

const MEMORY = '/dev/shm';
/** More than twice what a whole run stores. Containers often have 64 MiB, which is too little. */
const MIN_FREE_BYTES = 2 * 1024 ** 3;

function hasRoom(): boolean {
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= MIN_FREE_BYTES;
  } catch {
    return false;
  }
}

if (!process.env.TMPDIR && hasRoom()) process.env.TMPDIR = MEMORY;
