import type { z } from 'zod';
import { MAX_SEO_DESCRIPTION_LENGTH, MAX_SEO_TITLE_LENGTH, type Product } from '../catalog/index.ts';
import { Area, Field, type Filled, normalText, optionalLines, optionalText } from '../web/index.ts';

type SeoTexts = NonNullable<z.output<typeof Product>['seo']>;

/** The fields of {@link SeoFields} in a form's schema. */
export const seoForm = {
  'seo.title': optionalText,
  'seo.description': optionalLines,
  'seo.og_image': optionalText,
};
type Submitted = Readonly<Record<keyof typeof seoForm, string | null>>;

/** Returns the texts that are not empty; null without any. */
function filledSeo(seo: Readonly<Record<string, string | null | undefined>>): SeoTexts | null {
  const texts = Object.entries(seo).filter(([, text]) => text);
  return texts.length > 0 ? Object.fromEntries(texts) : null;
}

/** Returns the API's texts of a submitted form; null if all are empty. */
export const seoOf = (form: Submitted): SeoTexts | null =>
  filledSeo({
    title: form['seo.title'],
    description: form['seo.description'],
    og_image: form['seo.og_image'],
  });

/** Returns stored texts as the form sends them back. */
export const shownSeo = (seo: SeoTexts | null | undefined): SeoTexts | null =>
  filledSeo(
    Object.fromEntries(Object.entries(seo ?? {}).map(([name, text]) => [name, normalText(text ?? '')])),
  );

interface SeoProps {
  readonly f: Filled;
  readonly seo: SeoTexts | null | undefined;
  /** Shown where no title is given. */
  readonly name: string;
}

/** What search engines and social networks show of a product or category. */
export const SeoFields = ({ f, seo, name }: SeoProps) => (
  <>
    <Field
      f={f}
      name="seo.title"
      label="Title"
      value={seo?.title}
      hint="About 60 characters are shown. Leave empty for its name"
      attributes={{ maxlength: MAX_SEO_TITLE_LENGTH, placeholder: name.slice(0, 60) }}
    />
    <Area
      f={f}
      name="seo.description"
      label="Summary"
      value={seo?.description}
      hint="About 160 characters are shown"
      maxlength={MAX_SEO_DESCRIPTION_LENGTH}
    />
    <Field
      f={f}
      name="seo.og_image"
      label="Picture for social networks"
      type="url"
      value={seo?.og_image}
      maxlength={2_048}
    />
  </>
);
