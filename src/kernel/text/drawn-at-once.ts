import { raw } from 'hono/html';

/**
 * Returns the element of a page's head by which it is drawn only once its last element, with the id `last`, is there:
 * what is drawn of half a page moves when the rest arrives. Browsers that don't know it (HTML, link type "expect") draw
 * what they have. As text, for JSX leaves `blocking` out.
 */
export const drawnAtOnce = (last: 'main' | 'foot') =>
  raw(`<link rel="expect" href="#${last}" blocking="render">`);
