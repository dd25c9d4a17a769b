import type { z } from 'zod';
import { capitalized } from '../../kernel/text/text.ts';
import { palettes, type ThemeOptions } from '../../theme/index.ts';
import { clip } from '../../web/index.ts';

/** What a preview shows of a theme. */
export interface PreviewedTheme {
  readonly colors: z.output<typeof ThemeOptions>['colors'];
  /** A CSS font family, "" for the system's. */
  readonly font: string;
  readonly logo: string | null;
  readonly sections: readonly string[];
}

/** Sections that the preview draws, and the height of each in units of the drawing. */
const SECTIONS_SHOWN = 8;
const SECTION_HEIGHT = 34;
const HEADER = 48;

interface PreviewProps {
  readonly shop: string;
  readonly theme: PreviewedTheme;
}

/**
 * A preview of the shop's home page, in the colours that shop and checkout use: corrected where the theme's are not
 * readable. An SVG, because the CSP forbids inline styles.
 */
export const Preview = ({ shop, theme }: PreviewProps) => {
  const { light } = palettes({ colors: theme.colors });
  const sections = theme.sections.slice(0, SECTIONS_SHOWN);
  const height = HEADER + 84 + sections.length * SECTION_HEIGHT;
  const label = `Preview: ${clip(shop, 60)}, with ${sections.join(', ') || 'no sections'}`;
  return (
    <figure id="preview">
      <svg
        class="preview"
        viewBox={`0 0 320 ${height}`}
        role="img"
        aria-label={clip(label, 300)}
        font-family={theme.font || 'system-ui, sans-serif'}
      >
        <rect width="320" height={height} fill={light.ground} />
        <rect width="320" height={HEADER} fill={light.raised} />
        {theme.logo ? (
          <image href={theme.logo} x="16" y="10" width="120" height="28" preserveAspectRatio="xMinYMid" />
        ) : (
          <text x="16" y="30" font-size="15" fill={light.text}>
            {clip(shop, 24)}
          </text>
        )}
        {sections.map((name, n) => (
          <Section name={name} y={HEADER + 12 + n * SECTION_HEIGHT} palette={light} />
        ))}
        <g transform={`translate(0 ${height - 60})`}>
          <rect x="16" width="112" height="36" rx="6" fill={light.primary} />
          <text x="32" y="23" font-size="13" fill={light['on-primary']}>
            Add to cart
          </text>
          <rect x="144" width="64" height="36" rx="6" fill={light.accent} />
          <text x="160" y="23" font-size="13" fill={light['on-accent']}>
            Sale
          </text>
          <text x="224" y="23" font-size="12" fill={light.soft}>
            Soft text
          </text>
        </g>
      </svg>
      <Corrections theme={theme} palette={light} />
    </figure>
  );
};

type Light = ReturnType<typeof palettes>['light'];

const Section = ({ name, y, palette }: { name: string; y: number; palette: Light }) => (
  <>
    <rect x="16" y={y} width="288" height="26" rx="4" fill={palette.raised} stroke={palette.line} />
    <text x="26" y={y + 17} font-size="12" fill={palette.text}>
      {clip(name, 40)}
    </text>
  </>
);

/** Says which colours are shown otherwise than chosen. */
const Corrections = ({ theme, palette }: { theme: PreviewedTheme; palette: Light }) => {
  const corrected = (['primary', 'accent', 'text'] as const).filter(
    (name) => palette[name].toLowerCase() !== theme.colors[name].toLowerCase(),
  );
  return (
    <figcaption class="hint">
      {corrected.length === 0
        ? 'Shop and checkout use these colours.'
        : `Made readable on the background: ${corrected.map((name) => `${capitalized(name)} is shown as ${palette[name]}`).join('; ')}.`}
    </figcaption>
  );
};
