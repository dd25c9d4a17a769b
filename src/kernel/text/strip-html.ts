import { htmlToText } from './html-text.ts';

/**
 * Returns the text of untrusted HTML for an index of its words: like {@link htmlToText}, but an unknown name separates
 * words.
 */
export const stripHtml = (html: string): string => htmlToText(html).replace(/&[a-z][a-z0-9]+;/gi, ' ');
