import { z } from '@hono/zod-openapi';
import { text } from '../kernel/core/text.ts';
import { httpsUrl } from '../kernel/core/uri.ts';

const Color = z
  .string()
  .regex(/^#[0-9A-Fa-f]{6}$/, 'must be a colour such as #1A2B3C')
  .openapi({ example: '#1A2B3C' });

const Colors = z.strictObject({ primary: Color, accent: Color, background: Color, text: Color });
const FontFamily = z.string().regex(/^[A-Za-z0-9 ,'-]{1,100}$/, "may have letters, digits, spaces and , ' -");

/** How a tenant's storefront looks. */
export const ThemeOptions = z
  .object({
    tenant: z.string().openapi({ description: "The tenant's slug." }),
    colors: Colors,
    homepage_sections: z.array(z.string()),
    logo_url: z.url().nullable().optional(),
    favicon_url: z.url().nullable().optional(),
    font_family: z.string().optional(),
  })
  .openapi('ThemeOptions');
export type ThemeOptions = z.infer<typeof ThemeOptions>;

/** Changes to the theme: what is named is replaced, null unsets it; of the colours, each that is named. */
export const ThemePatch = z
  .strictObject({
    colors: Colors.partial().optional(),
    homepage_sections: z.array(text(100)).max(50).optional(),
    logo_url: httpsUrl.nullable().optional(),
    favicon_url: httpsUrl.nullable().optional(),
    font_family: FontFamily.nullable().optional(),
  })
  .openapi('ThemePatch');
export type ThemePatch = z.infer<typeof ThemePatch>;

/** What a tenant has set: patches, one over the other, without what was unset. */
export type ThemeSet = Omit<ThemePatch, 'font_family'> & Pick<ThemeOptions, 'font_family'>;

/** The colours of a tenant that has set none: dark text on white, readable at 4.5:1 and more. */
export const DEFAULT_COLORS = {
  primary: '#1F4B99',
  accent: '#B4451F',
  background: '#FFFFFF',
  text: '#1C1C1C',
};
