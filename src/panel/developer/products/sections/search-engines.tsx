import { z } from 'zod';
import { Field, type Page } from '../../../../web/index.ts';
import type { Values } from '../../../editing/changes.ts';
import { SeoFields, seoForm, seoOf, shownSeo } from '../../../seo-fields.tsx';
import { sectionPages } from '../editor/section.tsx';

/** The address of a product in the shop, and what search engines and social networks show of it. */
export const searchEnginePages: readonly Page[] = sectionPages({
  path: '/search-engines',
  form: z
    .object({ slug: z.string().trim(), ...seoForm })
    .transform(({ slug, ...seo }): Values => ({ slug, seo: seoOf(seo) })),
  parts: () => [
    { key: 'slug', label: 'Address (slug)' },
    { key: 'seo', label: 'Texts for search engines', of: ({ seo }) => shownSeo(seo) },
  ],
  fields: ({ f, product: { slug, seo, name } }) => (
    <>
      <Field
        f={f}
        name="slug"
        label="Address (slug)"
        value={slug}
        hint="The product's part of its address in the shop. The former one keeps working"
        required
        maxlength={255}
      />
      <SeoFields f={f} seo={seo} name={name} />
    </>
  ),
});
