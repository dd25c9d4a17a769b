import { z } from 'zod';
import { MAX_ALT_LENGTH, PictureUses, Product } from '../../../catalog/index.ts';
import { Media, mediaHashOf } from '../../../media/index.ts';
import {
  ActionLink,
  type Answer,
  asFormError,
  clip,
  Facts,
  Field,
  type Filled,
  Form,
  type FormError,
  formPages,
  type Outcome,
  type Page,
  type PageRequest,
  When,
} from '../../../web/index.ts';
import type { EditPart, Values } from '../../editing/changes.ts';
import { EditedParts, saveEdit } from '../../editing/save-edit.tsx';
import { smallPicture } from '../../pictures.tsx';

/** The path of the list of pictures. */
export const root = '/developer/media';

/** Returns the API's path of the request's picture. */
export const mediaPath = (request: PageRequest): string =>
  `/v1/media/${encodeURIComponent(request.param('id'))}`;

/** Returns a number of bytes in a unit that suits it: "312 KiB". */
export const sizeText = (bytes: number): string =>
  bytes < 1024 * 1024 ? `${Math.ceil(bytes / 1024)} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`;

/** A product that shows a picture. */
export type Use = PictureUses['data'][number];

/** Returns the text that a product has for a picture; undefined if it is not one of its images. */
const altIn = ({ media }: z.output<typeof Product>, picture: Media): string | null | undefined =>
  media.find(({ url }) => mediaHashOf(url) === mediaHashOf(picture.url))?.alt;

/** A picture and the products that show it. */
type Loaded = readonly [picture: Media, products: readonly Use[]];

/** Loads a picture and the products that show it. */
export async function loadPicture(request: PageRequest): Promise<Answer<Loaded>> {
  const [picture, uses] = await Promise.all([
    request.api({ path: mediaPath(request), answer: Media }),
    request.api({ path: `${mediaPath(request)}/products`, answer: PictureUses }),
  ]);
  if (!picture.ok) return picture;
  return uses.ok ? { ok: true, value: [picture.value, uses.value.data] } : uses;
}

const fieldOf = (id: number): string => `alt-${id}`;

interface TextsProps {
  readonly f: Filled;
  readonly loaded: Loaded;
}

/** The alternative text of a picture in each product: it says what the picture is for there. */
const Texts = ({ f, loaded }: TextsProps) => {
  const [picture, products] = loaded;
  const described = products.filter(({ in_images }) => in_images);
  if (described.length === 0) {
    return (
      <p class="hint">
        No product shows it among its pictures. An alternative text belongs to the product that does.
      </p>
    );
  }
  return (
    <Form request={f.request} action={`${root}/${picture.id}`} submit="Save" unsaved bare>
      <EditedParts f={f} parts={partsOf(loaded)} stored={loaded} />
      <h2>Alternative text</h2>
      {described.map((product) => (
        <Field
          f={f}
          name={fieldOf(product.id)}
          label={`In ${clip(product.name, 60)}`}
          value={product.alt}
          maxlength={MAX_ALT_LENGTH}
        />
      ))}
    </Form>
  );
};

const picturePage = async (request: PageRequest, formError: FormError | null) => {
  const loaded = await loadPicture(request);
  if (!loaded.ok) return loaded;
  const [picture] = loaded.value;
  const { id, url, width, height, bytes, content_type, created_at } = picture;
  const type = content_type.replace('image/', '').toUpperCase();
  const body = (
    <div class="beside">
      <section class="card" aria-label="Picture">
        <p>
          <img src={smallPicture(url, 320)} alt="" width={160} height={160} class="portrait" />
        </p>
        <Facts
          of={{
            Type: `${type}, ${width} × ${height}`,
            Size: sizeText(bytes),
            Id: <code>{id}</code>,
            Uploaded: <When at={created_at} />,
          }}
        />
        <p class="actions">
          <a href={url}>Original</a>
          <ActionLink request={request} href={`${root}/${id}/delete`} class="button danger quiet">
            Delete picture
          </ActionLink>
        </p>
      </section>
      <section class="card" aria-label="Alternative texts">
        <Texts f={{ request, formError }} loaded={loaded.value} />
      </section>
    </div>
  );
  return { title: `${type} ${width} × ${height}`, trail: [[root, 'Media']] as const, body };
};

/** Largest number of attempts while others save the same product. */
const MAX_ATTEMPTS = 3;

/** Changes the picture's text in one product. Its other pictures keep theirs. */
async function describeIn(
  request: PageRequest,
  picture: Media,
  { id, alt }: { id: number; alt: string | null },
): Promise<Answer<unknown>> {
  const path = `/v1/products/${id}`;
  for (let attempt = 1; ; attempt++) {
    const product = await request.api({ path: `${path}?status=all`, answer: Product });
    if (!product.ok) return product;
    const known = altIn(product.value, picture);
    // Meanwhile taken out of the product, or described like this.
    if (known === undefined || known === alt) return product;
    const images = product.value.media.map(({ url }) =>
      mediaHashOf(url) === mediaHashOf(picture.url) ? { url, alt } : { url },
    );
    const saved = await request.api({ method: 'PATCH', path, match: product.etag, body: { images } });
    if (saved.ok || saved.formError.code !== 'precondition_failed' || attempt === MAX_ATTEMPTS) return saved;
  }
}

/** Returns the parts of the form: the picture's text in each product that has it among its pictures. */
const partsOf = ([, products]: Loaded): readonly EditPart<Loaded>[] =>
  products
    .filter(({ in_images }) => in_images)
    .map(({ id, name }) => ({
      key: fieldOf(id),
      label: `In ${clip(name, 60)}`,
      of: ([, uses]) => uses.find((use) => use.id === id)?.alt?.trim() || null,
    }));

/** Changes the picture's texts, by {@link fieldOf} of their products. */
async function describe([picture, products]: Loaded, texts: Values, request: PageRequest) {
  for (const { id } of products) {
    const field = fieldOf(id);
    if (!(field in texts)) continue;
    // The form's schema made the text.
    const saved = await describeIn(request, picture, { id, alt: texts[field] as string | null });
    if (!saved.ok) {
      return { ok: false as const, ...asFormError(saved.formError.message, saved.formError.status, field) };
    }
  }
  return { ok: true as const, value: null };
}

/** The texts by product: `alt-17` is the text in product 17. */
const TextsForm = z.record(
  z.string(),
  z.string().transform((text) => text.trim() || null),
);

/** Saves the texts that were changed here, and asks where somebody else has changed the same meanwhile. */
const save = (request: PageRequest, values: z.output<typeof TextsForm>): Promise<Outcome> =>
  saveEdit(request, {
    path: mediaPath(request),
    load: () => loadPicture(request),
    parts: partsOf,
    values,
    // Each text belongs to its product.
    call: ({ body }, stored) => describe(stored, { ...body }, request),
  });

/** The page of one picture, with its text in each product that shows it. */
export const pictureSection: readonly Page[] = formPages(
  { path: `${root}/:id`, audience: 'developer', form: TextsForm },
  picturePage,
  save,
);
