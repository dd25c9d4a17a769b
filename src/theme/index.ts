export { palettes, type ThemeStyle, themeProperties } from './palette.ts';
export { DEFAULT_COLORS, ThemeOptions } from './schemas.ts';
export { readTheme, themeShowing } from './store.ts';
