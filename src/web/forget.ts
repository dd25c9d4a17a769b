import { sql } from 'drizzle-orm';
import { now } from '../kernel/core/clock.ts';
import { deletes } from '../kernel/data/chore.ts';
import { panelGuesses, panelSessions } from './tables.ts';

/** The maintenance chore that deletes expired panel sessions. */
export const forgetPanelSessions = deletes(panelSessions, () => sql`${panelSessions.until} < ${now()}`);

/** The maintenance chore that deletes expired sign-in throttles. */
export const forgetPanelGuesses = deletes(panelGuesses, () => sql`${panelGuesses.until} < ${now()}`);
