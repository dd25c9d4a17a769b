import { z } from 'zod';
import { Area, Field, optionalText, type Page } from '../../../web/index.ts';
import type { Values } from './changes.ts';
import { normalText, optionalLines } from './general-form.ts';
import type { Item } from './product.tsx';
import { sectionPages } from './section.tsx';

type Seo = NonNullable<Item['seo']>;

/** Returns the fields that have a text; null without any. */
function filled(seo: Readonly<Record<string, string | null | undefined>>): Seo | null {
  const texts = Object.entries(seo).flatMap(([name, text]) =>
    text ? [[name, normalText(text)] as const] : [],
  );
  return texts.length > 0 ? Object.fromEntries(texts) : null;
}

/** The address of a product in the shop, and what search engines and social networks show of it. */
export const searchEnginePages: readonly Page[] = sectionPages({
  path: '/search-engines',
  form: z
    .object({
      slug: z.string().trim(),
      'seo.title': optionalText,
      'seo.description': optionalLines,
      'seo.og_image': optionalText,
    })
    .transform((form): Values => {
      const { slug, 'seo.title': title, 'seo.description': description, 'seo.og_image': og_image } = form;
      return { slug, seo: filled({ title, description, og_image }) };
    }),
  parts: () => [
    { key: 'slug', label: 'Slug', of: ({ slug }) => slug },
    { key: 'seo', label: 'Texts for search engines', of: ({ seo }) => filled({ ...seo }) },
  ],
  fields: ({ f, product: { slug, seo, name } }) => (
    <>
      <Field
        f={f}
        name="slug"
        label="Slug"
        value={slug}
        hint="The product's part of its address in the shop. The former one keeps working"
        required
        attributes={{ maxlength: 255 }}
      />
      <Field
        f={f}
        name="seo.title"
        label="Title"
        value={seo?.title ?? null}
        hint="About 60 characters are shown. Empty: the product's name"
        attributes={{ maxlength: 255, placeholder: name.slice(0, 60) }}
      />
      <Area
        f={f}
        name="seo.description"
        label="Summary"
        value={seo?.description ?? null}
        hint="About 160 characters are shown"
        attributes={{ maxlength: 1_000 }}
      />
      <Field
        f={f}
        name="seo.og_image"
        label="Picture for social networks"
        type="url"
        value={seo?.og_image ?? null}
        attributes={{ maxlength: 2_048 }}
      />
    </>
  ),
});
