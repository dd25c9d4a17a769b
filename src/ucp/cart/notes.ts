import type { Message } from '../protocol/messages.ts';
import type { Consent, Destination } from './schemas.ts';

/** What a cart keeps for the protocol: what its last update got wrong, and what only the protocol knows. */
export interface Notes {
  /** About the last update, such as items that could not be added. Shown until the next one. */
  readonly messages: readonly Message[];
  readonly destinations: readonly Destination[];
  readonly destinationId: string | null;
  readonly consent: Consent | null;
}

const NO_NOTES: Notes = { messages: [], destinations: [], destinationId: null, consent: null };

/** The most characters of a request's value that a message of the notes repeats, so that all of them can be kept. */
const MAX_REPEATED = 100;

/** Returns a request's value as a message repeats it. */
export const repeated = (value: string): string => [...value].slice(0, MAX_REPEATED).join('');

/** Returns notes as the text that a cart keeps. */
export const writeNotes = (notes: Notes): string => JSON.stringify(notes);

/** Parses the notes of a cart; empty ones in an expired cart. */
export const readNotes = (text: string): Notes =>
  // Written by writeNotes(), with the same fields.
  text === '' ? NO_NOTES : (JSON.parse(text) as Notes);
