import { z } from 'zod';
import { ThemeOptions } from '../../theme/index.ts';
import {
  Area,
  Field,
  type Filled,
  Form,
  type FormError,
  form,
  getPage,
  lines,
  type Outcome,
  optionalText,
  type Page,
  type PageRequest,
  Part,
} from '../../web/index.ts';

type Colors = z.output<typeof ThemeOptions>['colors'];
const NAMES = ['primary', 'accent', 'background', 'text'] as const;

/** A preview of colours and font: an SVG, because the CSP forbids inline styles. */
const Preview = ({ colors, font }: { colors: Colors; font: string }) => (
  <svg
    id="preview"
    class="preview"
    viewBox="0 0 320 220"
    role="img"
    aria-label="Preview of colours and font"
    font-family={font}
  >
    <title>Preview of colours and font</title>
    <rect width="320" height="220" fill={colors.background} data-color="background" />
    <rect width="320" height="40" fill={colors.primary} data-color="primary" />
    <text x="16" y="26" font-size="15" fill={colors.background} data-color="background">
      Your shop
    </text>
    <text x="16" y="78" font-size="20" fill={colors.text} data-color="text">
      New this week
    </text>
    <text x="16" y="102" font-size="12" fill={colors.text} data-color="text">
      Sample text in the text colour
    </text>
    <rect x="16" y="122" width="88" height="72" rx="6" fill={colors.primary} data-color="primary" />
    <rect x="116" y="122" width="88" height="72" rx="6" fill={colors.accent} data-color="accent" />
    <rect x="220" y="154" width="84" height="40" rx="6" fill={colors.accent} data-color="accent" />
    <text x="240" y="179" font-size="14" fill={colors.background} data-color="background">
      Buy
    </text>
  </svg>
);

const Fields = ({ f, theme }: { f: Filled; theme: z.output<typeof ThemeOptions> }) => (
  <>
    <div class="pair">
      {NAMES.map((name) => (
        <Field
          f={f}
          name={`colors.${name}`}
          label={`${name.charAt(0).toUpperCase()}${name.slice(1)} colour`}
          type="color"
          value={theme.colors[name].toLowerCase()}
          attributes={{ 'data-preview': name }}
        />
      ))}
    </div>
    <Field
      f={f}
      name="font_family"
      label="Font family"
      value={theme.font_family ?? ''}
      hint="As in CSS, such as Georgia, serif"
      attributes={{ maxlength: 100, 'data-preview': 'font' }}
    />
    <Field
      f={f}
      name="logo_url"
      label="Logo URL"
      type="url"
      value={theme.logo_url ?? ''}
      hint="An https URL"
    />
    <Field f={f} name="favicon_url" label="Favicon URL" type="url" value={theme.favicon_url ?? ''} />
    <Area
      f={f}
      name="homepage_sections"
      label="Home page sections"
      value={theme.homepage_sections.join('\n')}
      hint="One per line, from top to bottom"
    />
  </>
);

const themePage = async (request: PageRequest, formError: FormError | null) => {
  const answer = await request.api({ path: '/v1/theme/options', answer: ThemeOptions });
  if (!answer.ok) return answer;
  const theme = answer.value;
  const body = (
    <div class="beside">
      <Form request={request} action="/developer/theme" submit="Save">
        <Fields f={{ request, trouble: formError }} theme={theme} />
      </Form>
      <Preview colors={theme.colors} font={theme.font_family ?? 'sans-serif'} />
      <Part name="theme" />
    </div>
  );
  return { title: 'Theme', body };
};

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

async function change(request: PageRequest, input: z.output<typeof Theme>): Promise<Outcome> {
  const { font_family, logo_url, favicon_url, homepage_sections } = input;
  const colors = Object.fromEntries(NAMES.map((name) => [name, input[`colors.${name}`].toUpperCase()]));
  const body = { colors, font_family, logo_url, favicon_url, homepage_sections };
  const changed = await request.api({ method: 'PATCH', path: '/v1/theme/options', body });
  return changed.ok ? { to: '/developer/theme', note: 'saved' } : changed;
}

const here = { path: '/developer/theme', audience: 'developer' } as const;

/** The page that changes theme options, with a live preview. */
export const themePages: readonly Page[] = [
  getPage(here, themePage),
  form({ ...here, form: Theme }, themePage, change),
];
