import { z } from '@hono/zod-openapi';
import { text } from '../kernel/text/text.ts';
import { Country } from '../kernel/values/countries.ts';
import { imageUrl } from '../media/index.ts';
import { Settings } from '../tenants/index.ts';

const Color = z
  .string()
  .regex(/^#[0-9A-Fa-f]{6}$/, 'must be a colour such as #1A2B3C')
  .openapi({ example: '#1A2B3C' });

const Colors = z.strictObject({ primary: Color, accent: Color, background: Color, text: Color });
const FontFamily = z
  .string()
  .regex(/^[A-Za-z0-9 ,'-]{1,100}$/, "must have only letters, digits, spaces and , ' -");

/** The theme of a tenant's storefront. */
export const ThemeOptions = z
  .object({
    tenant: z.string().openapi({ description: "The tenant's slug." }),
    shop_name: z.string().openapi({ description: "The tenant's name, for the storefront's header." }),
    currency: z
      .string()
      .openapi({ description: 'The main currency: that of prices where none is asked for.' }),
    currencies: z.array(z.string()).openapi({
      description:
        'All currencies that the shop sells in, the main one first: what `currency` takes in lists and carts.',
    }),
    tax_included: z.boolean().openapi({
      description: 'Whether prices include tax, as `totals.tax_included` of a cart says.',
    }),
    tax_rates: Settings.shape.tax.omit({ mode: true, shipping_taxed: true }).openapi({
      description:
        "For prices with and without tax on a page: the rates by country of delivery, and by a product's `tax_class`.",
    }),
    shipping_countries: z.array(Country).readonly().nullable().openapi({
      description:
        'Where an active shipping method delivers, in some currency, sorted: the countries to offer in the address of goods. Null: every country.',
    }),
    colors: Colors,
    homepage_sections: z.array(z.string()).openapi({
      description:
        'The sections of the home page in their order, by names that shop and storefront agree on. The demo shop knows `hero`, `categories`, `new_arrivals`, `best_sellers`, `featured` (the best sellers too) and the slug of a category, and leaves out other names. `hero`, `featured`, `categories` where the shop has set none.',
      example: ['hero', 'new_arrivals', 'categories', 'workshops'],
    }),
    logo_url: z.url().nullable().optional(),
    favicon_url: z.url().nullable().optional(),
    font_family: z.string().optional(),
  })
  .openapi('ThemeOptions');
export type ThemeOptions = z.infer<typeof ThemeOptions>;

/** A JSON merge patch of the theme (RFC 7396): null unsets an option; `colors` is merged. */
export const ThemePatch = z
  .strictObject({
    colors: Colors.partial().optional(),
    homepage_sections: z.array(text(100)).max(50).optional(),
    logo_url: imageUrl.nullable().optional(),
    favicon_url: imageUrl.nullable().optional(),
    font_family: FontFamily.nullable().optional(),
  })
  .openapi('ThemePatch');
export type ThemePatch = z.infer<typeof ThemePatch>;

/** The stored options: all patches merged, without unset options. */
export type ThemeSet = Omit<ThemePatch, 'font_family'> & Pick<ThemeOptions, 'font_family'>;

/** Default colours: primary, accent and text reach a contrast of 4.5:1 on the background (WCAG 2.2 AA). */
export const DEFAULT_COLORS = {
  primary: '#1F4B99',
  accent: '#B4451F',
  background: '#FFFFFF',
  text: '#1C1C1C',
};
