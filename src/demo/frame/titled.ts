import { capitalized } from '../../kernel/text/text.ts';

/** Returns names in a sentence: "Coffee, Kitchen, and Outdoors". */
export const conjunction = (names: readonly string[]): string =>
  new Intl.ListFormat('en', { type: 'conjunction' }).format(names);

/** Returns the name of an option or an attribute as a label: "shade_of_blue" → "Shade of blue". */
export const titled = (name: string): string => capitalized(name.replaceAll('_', ' '));
