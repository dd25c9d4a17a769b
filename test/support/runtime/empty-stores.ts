/**
 * Runs before each file of the project `emptied`, and deletes all that the files before it stored: much cheaper
 * than a runtime for each file.
 */
import { deleteEverything } from '../storage/delete-everything.ts';

await deleteEverything();
