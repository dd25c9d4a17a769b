import { z } from 'zod';
import type { Category } from '../../../catalog/index.ts';
import {
  type Answer,
  Area,
  Choice,
  Field,
  type Filled,
  normalText,
  optionalLines,
  optionalText,
  type PageRequest,
} from '../../../web/index.ts';
import type { EditPart, Values } from '../../editing/changes.ts';
import { CategoryPicker, type CategoryPlace, placesOf } from '../../pickers/category-picker.tsx';
import { pickedId } from '../../pickers/choices.tsx';
import { PICTURE_HINT, PICTURE_TYPES, Thumbnail, uploadPicture } from '../../pictures.tsx';
import { SeoFields, seoForm, seoOf, shownSeo } from '../../seo-fields.tsx';

type Stored = z.output<typeof Category>;

interface FieldsProps {
  readonly f: Filled;
  readonly categories: readonly CategoryPlace[];
  /** Null for a new category. */
  readonly known: Stored | null;
}

/** The fields of a category, of which the form has one column for what shoppers see and one for its place. */
export const CategoryFields = ({ f, categories, known }: FieldsProps) => (
  <>
    <Field f={f} name="name" label="Name" value={known?.name} required maxlength={255} />
    <Area f={f} name="description" label="Description" value={known?.description} />
    <Picture f={f} url={known?.image_url ?? null} />
    <CategoryPicker
      f={f}
      name="parent_id"
      legend="Parent category"
      hint="Its descendants move with it"
      one
      none="None: a category at the top"
      categories={categories}
      stored={known ? [known.parent_id].filter((id) => id !== null) : parentAsked(f.request)}
      except={known ? new Set(placesOf([known]).map(({ category }) => category.id)) : new Set()}
    />
    <Choice
      f={f}
      name="hidden"
      label="Visibility"
      options={[
        ['no', 'Shown in the shop'],
        ['yes', 'Hidden, with its descendants'],
      ]}
      value={known?.hidden ? 'yes' : 'no'}
    />
    <SearchEngineFields f={f} known={known} />
  </>
);

/** Returns the parent that a link to the form of a new category names. */
const parentAsked = (request: PageRequest): number[] =>
  [Number(request.query('parent'))].filter((id) => id > 0);

const Picture = ({ f, url }: { readonly f: Filled; readonly url: string | null }) => (
  <>
    {url && <Thumbnail url={url} size={80} />}
    <Field
      f={f}
      name="picture"
      label="Upload a picture"
      type="file"
      hint={PICTURE_HINT}
      attributes={{ accept: PICTURE_TYPES }}
    />
    <Field
      f={f}
      name="image_url"
      label="Address of the picture"
      type="url"
      value={url}
      hint="Filled in by an upload. Empty it to remove the picture"
    />
  </>
);

const SearchEngineFields = ({ f, known }: Omit<FieldsProps, 'categories'>) => (
  <details open={Object.keys(f.formError?.errors ?? {}).some((name) => /^(slug|seo)/.test(name))}>
    <summary>Search engines</summary>
    <Field
      f={f}
      name="slug"
      label="Address (slug)"
      value={known?.slug}
      hint={known ? 'The former address keeps leading here' : 'Leave empty to derive it from the name'}
      maxlength={255}
    />
    <SeoFields f={f} seo={known?.seo} name={known?.name ?? ''} />
  </details>
);

/** The fields of {@link CategoryFields}. */
export const CategoryForm = z.object({
  name: z.string().trim(),
  slug: optionalText,
  parent_id: pickedId,
  description: optionalLines,
  // Browsers send an empty text for no file.
  picture: z.preprocess(
    (value) => (value instanceof File ? value : undefined),
    z.instanceof(File).optional(),
  ),
  image_url: optionalText,
  hidden: z.enum(['yes', 'no']),
  ...seoForm,
});
type Submitted = z.output<typeof CategoryForm>;

/** A category as its form edits it: the parts of which two people may change the same. */
export const CATEGORY_PARTS: readonly EditPart<Stored>[] = [
  { key: 'name', label: 'Name', of: ({ name }) => name.trim() },
  {
    key: 'description',
    label: 'Description',
    of: ({ description }) => normalText(description ?? '') || null,
  },
  { key: 'image_url', label: 'Picture' },
  { key: 'parent_id', label: 'Parent category' },
  { key: 'hidden', label: 'Hidden' },
  { key: 'slug', label: 'Address (slug)' },
  { key: 'seo', label: 'Texts for search engines', of: ({ seo }) => shownSeo(seo) },
];

/** Returns the API's fields of a submitted form. A picture is uploaded first. */
export async function valuesOf(request: PageRequest, input: Submitted): Promise<Answer<Values>> {
  const { name, slug, parent_id, description, picture, hidden } = input;
  const uploaded = picture?.size ? await uploadPicture(request, picture) : null;
  if (uploaded?.ok === false) return uploaded;
  const values = {
    name,
    parent_id,
    description,
    hidden: hidden === 'yes',
    image_url: uploaded?.value.url ?? input.image_url,
    seo: seoOf(input),
    ...(slug !== null && { slug }),
  };
  return { ok: true, value: values };
}
