import { sql } from 'drizzle-orm';
import { deletes } from '../kernel/chore.ts';
import { now } from '../kernel/clock.ts';
import { panelGuesses, panelSessions } from './tables.ts';

/** The chore that deletes sessions of the panels that have ended. */
export const forgetPanelSessions = deletes(panelSessions, () => sql`${panelSessions.until} < ${now()}`);

/** The chore that deletes guesses that are worked off. */
export const forgetPanelGuesses = deletes(panelGuesses, () => sql`${panelGuesses.until} < ${now()}`);
