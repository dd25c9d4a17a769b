import type { ThemeOptions } from './schemas.ts';

/** The options of a theme that a stylesheet is made from. */
export type ThemeStyle = Pick<ThemeOptions, 'colors' | 'font_family'>;

type Rgb = readonly [number, number, number];

/** The minimum contrast ratios of text and of field borders (WCAG 2.2, 1.4.3 and 1.4.11). */
const TEXT_CONTRAST = 4.5;
const EDGE_CONTRAST = 3;

const rgbOf = (color: string): Rgb => {
  const value = Number.parseInt(color.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
};

const hexOf = (rgb: Rgb): string =>
  `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;

/** Returns the relative luminance (WCAG 2.2), from 0 to 1. */
function luminance(color: string): number {
  const [r, g, b] = rgbOf(color).map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (r ?? 0) + 0.7152 * (g ?? 0) + 0.0722 * (b ?? 0);
}

/** Returns the contrast ratio of two colours (WCAG 2.2), from 1 to 21. */
export function contrast(a: string, b: string): number {
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

/** Mixes two colours: `share` 0 is `from`, 1 is `to`. */
function mix(from: string, to: string, share: number): string {
  const [a, b] = [rgbOf(from), rgbOf(to)];
  const part = (n: 0 | 1 | 2) => a[n] + (b[n] - a[n]) * share;
  return hexOf([part(0), part(1), part(2)]);
}

/** Returns black or white, whichever contrasts more with the background: always at least 4.58. */
const inkOn = (background: string): string =>
  contrast('#ffffff', background) >= contrast('#000000', background) ? '#ffffff' : '#000000';

/** Shifts a colour towards black or white until it reaches the ratio on every background. */
function readable(color: string, backgrounds: readonly [string, ...string[]], ratio: number): string {
  const ink = inkOn(backgrounds[0]);
  for (let share = 0; share < 1; share += 0.05) {
    const mixed = mix(color, ink, share);
    if (backgrounds.every((background) => contrast(mixed, background) >= ratio)) return mixed;
  }
  return ink;
}

/** The colours of a page, by CSS custom property. */
export type Palette = Readonly<
  Record<
    | 'ground'
    | 'raised'
    | 'text'
    | 'soft'
    | 'edge'
    | 'line'
    | 'primary'
    | 'on-primary'
    | 'accent'
    | 'on-accent'
    | 'alert',
    string
  >
>;

function paletteOn({ background, text, primary, accent }: ThemeOptions['colors']): Palette {
  const tinted = mix(background, inkOn(background), 0.04);
  // On a background of medium brightness, no text colour is readable on a tint.
  const raised = contrast(inkOn(background), tinted) >= TEXT_CONTRAST ? tinted : background;
  const both = [background, raised] as const;
  const ink = readable(text, both, TEXT_CONTRAST);
  const button = readable(primary, both, EDGE_CONTRAST);
  const highlight = readable(accent, both, TEXT_CONTRAST);
  return {
    ground: background,
    raised,
    text: ink,
    soft: readable(mix(ink, background, 0.35), both, TEXT_CONTRAST),
    edge: readable(mix(ink, background, 0.5), both, EDGE_CONTRAST),
    line: mix(background, ink, 0.15),
    primary: button,
    'on-primary': inkOn(button),
    accent: highlight,
    'on-accent': inkOn(highlight),
    alert: readable('#b3261e', both, TEXT_CONTRAST),
  };
}

/**
 * Returns a tenant's light and dark palettes, adjusted to readable contrast. A dark theme uses one palette
 * for both.
 */
export function palettes({ colors }: Pick<ThemeStyle, 'colors'>): { light: Palette; dark: Palette } {
  const light = paletteOn(colors);
  const isDark = luminance(colors.background) < 0.18;
  return { light, dark: isDark ? light : paletteOn({ ...colors, background: '#15171c', text: '#eceef1' }) };
}

const properties = (palette: Palette): string =>
  Object.entries(palette)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';');

/** A font family as CSS takes it: names of letters, digits and hyphens, or a whole string (CSS Fonts 4, 2.1). */
const FAMILY = /^(?:-?[A-Za-z][A-Za-z0-9-]*(?: +-?[A-Za-z][A-Za-z0-9-]*)*|'[^']*')$/;

/**
 * Returns a theme's font families for CSS. Any other name is quoted: one with a single apostrophe would begin a string
 * that swallows the rules behind it. The theme allows neither double quotes nor backslashes.
 */
const familiesOf = (font: string): string[] =>
  font
    .split(',')
    .map((family) => family.trim())
    .filter((family) => family !== '')
    .map((family) => (FAMILY.test(family) ? family : `"${family}"`));

/**
 * Returns the CSS that sets a theme's palettes and font as custom properties, for light and dark. The theme
 * validates colours and font when they are stored.
 */
export function themeProperties(theme: ThemeStyle): string {
  const { light, dark } = palettes(theme);
  const fonts = [...familiesOf(theme.font_family ?? ''), 'system-ui', 'sans-serif'];
  return `:root{color-scheme:light dark;${properties(light)};--font:${fonts.join(', ')}}
@media(prefers-color-scheme:dark){:root{${properties(dark)}}}
`;
}
