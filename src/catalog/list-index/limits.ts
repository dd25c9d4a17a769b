import { DAY, MINUTE } from '../../kernel/core/clock.ts';

/** Tenants with fewer products and variants are not indexed: the database, which reads each of them, answers as fast. */
export const MIN_INDEXED_ITEMS = 1_000;
/**
 * The most memory (bytes) of an index; an object has 128 MB. An index that would take more has no texts, or is not
 * built for a day.
 */
export const MAX_INDEX_BYTES = 48_000_000;
export const TOO_LARGE_RETRY_MS = DAY;
/** Products of one read of a build, and reads of one alarm. */
export const PRODUCTS_PER_READ = 250;
export const READS_PER_ALARM = 4;
/** No pause between two alarms of a build is longer (ms). A question sets a lost alarm again, but cuts no pause short. */
export const MAX_BUILD_PAUSE_MS = 5_000;
/** The pause (ms) after which an alarm retries when other tenants' indexes use up the isolate's memory. */
export const NO_MEMORY_PAUSE_MS = 5_000;
/** Reads of changes that a question waits for; more are read by the alarm. */
export const READS_PER_QUESTION = 2;
/** Segments that one alarm stores. */
export const SEGMENTS_PER_ALARM = 8;
/** Changes are stored when they are this old (ms), or when there are this many. */
export const STORE_DELAY_MS = 20_000;
export const MAX_PENDING = 500;
/** How often the alarm reads changes (ms), so that an index is never older than the rows of `list_changes`. */
export const READ_INTERVAL_MS = DAY;
/** An index whose last read is older than this (ms) is rebuilt. */
export const MAX_BEHIND_MS = 3 * DAY;
/** How long (ms) after its last question an index is deleted. The instant is stored once a day. */
export const MAX_IDLE_MS = 7 * DAY;
/** How long a tenant counts as small without being counted again (ms). */
export const SMALL_FOR_MS = MINUTE;
