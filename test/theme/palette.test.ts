import { expect, it } from 'vitest';
import { themeProperties } from '../../src/theme/index.ts';
import { DEFAULT_COLORS } from '../../src/theme/schemas.ts';

it.each([
  ['Inter', 'Inter'],
  ["'Open Sans', Arial", "'Open Sans', Arial"],
  ["D'Nealian, serif", '"D\'Nealian", serif'],
  ["'", '"\'"'],
  ['Roboto Mono,, 3270', 'Roboto Mono, "3270"'],
  [' , ', ''],
])('writes the font %j so that the stylesheet behind it is read', (font_family, families) => {
  const css = themeProperties({ colors: DEFAULT_COLORS, font_family });
  expect(css).toContain(`--font:${families ? `${families}, ` : ''}system-ui, sans-serif}\n`);
});
