/** Patterns of browsers and systems, in the order of their tests: Chrome's user agent also names Safari. */
const BROWSERS = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\b(?:OPR|Opera)\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:(?:Headless)?Chrome|CriOS|Chromium)\//],
  ['Safari', /\bSafari\//],
] as const;
const SYSTEMS = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b|\bMacintosh\b/],
  ['Linux', /\bLinux\b/],
] as const;

const nameIn = (names: readonly (readonly [string, RegExp])[], agent: string): string | undefined =>
  names.find(([, pattern]) => pattern.test(agent))?.[0];

/**
 * Returns the browser and system of a user agent in words: "Firefox on Windows". Only these words are stored,
 * never the header.
 */
export function deviceOf(agent: string | undefined): string {
  const start = (agent ?? '').slice(0, 500);
  const [browser = 'Unknown browser', system] = [nameIn(BROWSERS, start), nameIn(SYSTEMS, start)];
  return system ? `${browser} on ${system}` : browser;
}
