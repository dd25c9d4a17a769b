/** Second-level names below which countries register domains: `co.uk`, `com.au`. */
const SHARED_LEVELS = new Set([
  'ac',
  'co',
  'com',
  'edu',
  'gob',
  'gov',
  'mil',
  'ne',
  'net',
  'nom',
  'or',
  'org',
]);

/**
 * Returns the registrable domain of a URL's host: all names below it belong to one owner, who can make as many as they
 * like. Services that give names away (`vercel.app`) count as one owner.
 */
export function siteOf(url: string): string {
  const labels = new URL(url).hostname.split('.');
  const [second = '', top = ''] = labels.slice(-2);
  return labels.slice(top.length === 2 && SHARED_LEVELS.has(second) ? -3 : -2).join('.');
}
