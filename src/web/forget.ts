import { sql } from 'drizzle-orm';
import { now } from '../kernel/core/clock.ts';
import { deletes } from '../kernel/data/chore.ts';
import { panelGuesses, panelSessions } from './tables.ts';

/** The chore that deletes sessions of the panels that have ended. */
export const forgetPanelSessions = deletes(panelSessions, () => sql`${panelSessions.until} < ${now()}`);

/** The chore that deletes guesses that are worked off. */
export const forgetPanelGuesses = deletes(panelGuesses, () => sql`${panelGuesses.until} < ${now()}`);
