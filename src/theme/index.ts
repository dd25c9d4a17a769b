export type { ThemeOptions } from './schemas.ts';
export { DEFAULT_COLORS } from './schemas.ts';
export { readTheme } from './store.ts';
