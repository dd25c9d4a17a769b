import { z } from 'zod';
import { capitalized } from '../../kernel/text/text.ts';
import { ThemeOptions } from '../../theme/index.ts';
import {
  Area,
  Field,
  type Filled,
  Form,
  type FormError,
  formPages,
  lines,
  type Outcome,
  optionalText,
  type Page,
  type PageRequest,
  Part,
} from '../../web/index.ts';
import type { EditPart } from '../editing/changes.ts';
import { EditedParts, saveEdit } from '../editing/save-edit.tsx';
import { Preview, type PreviewedTheme } from './theme-preview.tsx';

const NAMES = ['primary', 'accent', 'background', 'text'] as const;

const colorLabel = (name: string): string => `${capitalized(name)} colour`;

const Fields = ({ f, theme }: { f: Filled; theme: z.output<typeof ThemeOptions> }) => (
  <>
    <div class="pair">
      {NAMES.map((name) => (
        <Field
          f={f}
          name={`colors.${name}`}
          label={colorLabel(name)}
          type="color"
          value={theme.colors[name].toLowerCase()}
        />
      ))}
    </div>
    <Field
      f={f}
      name="font_family"
      label="Font family"
      value={theme.font_family}
      hint="As in CSS, such as Georgia, serif"
      maxlength={100}
    />
    <Field
      f={f}
      name="logo_url"
      label="Logo URL"
      type="url"
      value={theme.logo_url}
      hint="The address of a picture, such as one under Media"
    />
    <Field f={f} name="favicon_url" label="Favicon URL" type="url" value={theme.favicon_url} />
    <Area
      f={f}
      name="homepage_sections"
      label="Home page sections"
      value={theme.homepage_sections.join('\n')}
      hint="One per line, from top to bottom: names that your storefront knows. The demo shop knows hero, new_arrivals, best_sellers, categories and the slug of a category"
    />
  </>
);

const themePage = async (request: PageRequest, formError: FormError | null) => {
  const answer = await request.api({ path: '/v1/theme/options', answer: ThemeOptions });
  if (!answer.ok) return answer;
  const theme = answer.value;
  const f = { request, formError };
  const body = (
    <div class="beside">
      <Form request={request} action="/developer/theme" submit="Save" unsaved>
        <EditedParts f={f} parts={PARTS} stored={theme} />
        <Fields f={f} theme={theme} />
        <button type="submit" class="secondary" name="_find" value="preview" formnovalidate>
          Preview
        </button>
      </Form>
      <Preview shop={theme.shop_name} theme={typed(request, theme)} />
      <Part name="theme" />
    </div>
  );
  return { title: 'Theme', body };
};

/** Returns the theme with what was typed into the form, as far as it can be shown. */
function typed({ c, sent }: PageRequest, theme: z.output<typeof ThemeOptions>): PreviewedTheme {
  const text = (name: string, stored: string) => sent[name]?.[0]?.trim() ?? stored;
  const color = (name: (typeof NAMES)[number]): string => {
    const value = text(`colors.${name}`, theme.colors[name]);
    return /^#[0-9A-Fa-f]{6}$/.test(value) ? value : theme.colors[name];
  };
  const logo = text('logo_url', theme.logo_url ?? '');
  const sections = sent.homepage_sections?.[0]?.split('\n').map((line) => line.trim());
  return {
    colors: {
      primary: color('primary'),
      accent: color('accent'),
      background: color('background'),
      text: color('text'),
    },
    font: text('font_family', theme.font_family ?? ''),
    logo: logo.startsWith('https://') || logo.startsWith(`${new URL(c.req.url).origin}/`) ? logo : null,
    sections: sections?.filter((line) => line !== '') ?? theme.homepage_sections,
  };
}

const Theme = z.object({
  'colors.primary': z.string(),
  'colors.accent': z.string(),
  'colors.background': z.string(),
  'colors.text': z.string(),
  font_family: optionalText,
  logo_url: optionalText,
  favicon_url: optionalText,
  homepage_sections: lines,
});

type StoredTheme = z.output<typeof ThemeOptions>;

const PARTS: readonly EditPart<StoredTheme>[] = [
  ...NAMES.map((name) => ({
    key: `colors.${name}`,
    label: colorLabel(name),
    of: ({ colors }: StoredTheme) => colors[name].toUpperCase(),
  })),
  { key: 'font_family', label: 'Font family', of: ({ font_family }) => font_family?.trim() || null },
  { key: 'logo_url', label: 'Logo URL', of: ({ logo_url }) => logo_url ?? null },
  { key: 'favicon_url', label: 'Favicon URL', of: ({ favicon_url }) => favicon_url ?? null },
  {
    key: 'homepage_sections',
    label: 'Home page sections',
    of: ({ homepage_sections }) => lines.parse(homepage_sections.join('\n')),
  },
];

/** Saves what was changed here, and asks where somebody else has changed the same meanwhile. */
const change = (request: PageRequest, input: z.output<typeof Theme>): Promise<Outcome> => {
  const colors = NAMES.map((name) => [`colors.${name}`, input[`colors.${name}`].toUpperCase()] as const);
  return saveEdit(request, {
    path: '/v1/theme/options',
    load: () => request.api({ path: '/v1/theme/options', answer: ThemeOptions }),
    parts: () => PARTS,
    values: { ...input, ...Object.fromEntries(colors) },
    patch: (_, changed) => {
      const entries = Object.entries(changed).map(([key, value]) => [key.split('.'), value] as const);
      const changedColors = entries.flatMap(([[, name], value]) => (name ? [[name, value] as const] : []));
      const plain = entries.flatMap(([[key, name], value]) => (name ? [] : [[key, value] as const]));
      return { ...Object.fromEntries(plain), colors: Object.fromEntries(changedColors) };
    },
  });
};

/** The page that changes theme options, with a live preview. */
export const themePages: readonly Page[] = formPages(
  { path: '/developer/theme', audience: 'developer', form: Theme },
  themePage,
  change,
);
