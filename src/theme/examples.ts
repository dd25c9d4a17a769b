import type { Example } from '../kernel/openapi/example.ts';
import { DEFAULT_COLORS, type ThemeOptions, type ThemePatch } from './schemas.ts';

const shop = () => ({
  tenant: 'kaffee-und-kette',
  shop_name: 'Kaffee & Kette',
  currency: 'EUR',
  currencies: ['EUR'],
  tax_included: true,
  tax_rates: { rate_percent: 19, rates_by_class: { food: { rate_percent: 7 } } },
  shipping_countries: null,
});
const look = () => ({
  homepage_sections: ['hero', 'new-arrivals', 'workshop'],
  logo_url: 'https://shop.example.com/logo.svg',
  font_family: 'Inter, sans-serif',
});

/** Examples of the endpoints for theme options. */
export const themeExamples = {
  get: (): Example<{ answer: typeof ThemeOptions }> => ({
    answer: { ...shop(), colors: DEFAULT_COLORS, homepage_sections: ['hero', 'featured', 'categories'] },
  }),
  patch: (): Example<{ body: typeof ThemePatch; answer: typeof ThemeOptions }> => ({
    body: { colors: { primary: '#0B6E4F' }, ...look() },
    answer: { ...shop(), colors: { ...DEFAULT_COLORS, primary: '#0B6E4F' }, ...look() },
  }),
};
