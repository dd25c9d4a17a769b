import type { Message } from '../protocol/messages.ts';

/** An address that an agent offers as destination, in the protocol's form. */
export interface Destination {
  readonly id: string;
  readonly street_address?: string | undefined;
  readonly extended_address?: string | undefined;
  readonly address_locality?: string | undefined;
  readonly address_region?: string | undefined;
  readonly address_country?: string | undefined;
  readonly postal_code?: string | undefined;
  readonly first_name?: string | undefined;
  readonly last_name?: string | undefined;
  readonly phone_number?: string | undefined;
}

/** The buyer's choices about their data. */
export interface Consent {
  readonly analytics?: boolean | undefined;
  readonly preferences?: boolean | undefined;
  readonly marketing?: boolean | undefined;
  readonly sale_of_data?: boolean | undefined;
}

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
