import type { ThemeOptions } from '../../theme/index.ts';

type Rgb = readonly [number, number, number];

/** What text needs on its ground, and what the edge of a field needs (WCAG 2.2, 1.4.3 and 1.4.11). */
const TEXT_CONTRAST = 4.5;
const EDGE_CONTRAST = 3;

const rgbOf = (color: string): Rgb => {
  const value = Number.parseInt(color.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
};

const hexOf = (rgb: Rgb): string =>
  `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;

/** Relative luminance (WCAG 2.2). */
function luminance(color: string): number {
  const [r, g, b] = rgbOf(color).map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (r ?? 0) + 0.7152 * (g ?? 0) + 0.0722 * (b ?? 0);
}

/** The contrast ratio of two colours (WCAG 2.2): 1 to 21. */
export function contrast(a: string, b: string): number {
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

/** `share` of one colour in another: 0 is `from`, 1 is `to`. */
function mix(from: string, to: string, share: number): string {
  const [a, b] = [rgbOf(from), rgbOf(to)];
  const part = (n: 0 | 1 | 2) => a[n] + (b[n] - a[n]) * share;
  return hexOf([part(0), part(1), part(2)]);
}

/** Black or white, whichever is read better on a ground: one of them always has 4.58 and more. */
const inkOn = (ground: string): string =>
  contrast('#ffffff', ground) >= contrast('#000000', ground) ? '#ffffff' : '#000000';

/** The colour, taken towards the first ground's ink only as far as the ratio on all grounds needs. */
function readable(color: string, grounds: readonly [string, ...string[]], ratio: number): string {
  const ink = inkOn(grounds[0]);
  for (let share = 0; share < 1; share += 0.05) {
    const mixed = mix(color, ink, share);
    if (grounds.every((ground) => contrast(mixed, ground) >= ratio)) return mixed;
  }
  return ink;
}

/** The colours of a page, as values of its CSS properties. */
export type Palette = Readonly<
  Record<'ground' | 'raised' | 'text' | 'soft' | 'edge' | 'line' | 'primary' | 'on-primary' | 'alert', string>
>;

function paletteOn(ground: string, text: string, primary: string): Palette {
  const tinted = mix(ground, inkOn(ground), 0.04);
  // On a ground of middling brightness nothing could be read on a tint of it.
  const raised = contrast(inkOn(ground), tinted) >= TEXT_CONTRAST ? tinted : ground;
  const both = [ground, raised] as const;
  const ink = readable(text, both, TEXT_CONTRAST);
  const button = readable(primary, both, EDGE_CONTRAST);
  return {
    ground,
    raised,
    text: ink,
    soft: readable(mix(ink, ground, 0.35), both, TEXT_CONTRAST),
    edge: readable(mix(ink, ground, 0.5), both, EDGE_CONTRAST),
    line: mix(ground, ink, 0.15),
    primary: button,
    'on-primary': inkOn(button),
    alert: readable('#b3261e', both, TEXT_CONTRAST),
  };
}

/**
 * A tenant's colours for light and dark, brought to readable contrasts. A theme that is dark by itself is
 * the same in both.
 */
export function palettes({ colors }: ThemeOptions): { light: Palette; dark: Palette } {
  const light = paletteOn(colors.background, colors.text, colors.primary);
  const isDark = luminance(colors.background) < 0.18;
  return { light, dark: isDark ? light : paletteOn('#15171c', '#eceef1', colors.primary) };
}
