import { capitalized } from '../../kernel/text/text.ts';

/** Returns the name of an option or an attribute as a label: "shade_of_blue" → "Shade of blue". */
export const titled = (name: string): string => capitalized(name.replaceAll('_', ' '));
