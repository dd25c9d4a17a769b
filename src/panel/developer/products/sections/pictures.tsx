import { z } from 'zod';
import {
  asFormError,
  Field,
  type Filled,
  type Outcome,
  optionalText,
  type Page,
  type PageRequest,
  Rows,
  rowsOf,
} from '../../../../web/index.ts';
import {
  PICTURE_TYPES,
  PICTURES_HINT,
  PICTURES_LIMITS,
  pictureFiles,
  Thumbnail,
  uploadPictures,
} from '../../../pictures.tsx';
import { listSection } from '../editor/list-section.tsx';
import { saveValues, sectionPages } from '../editor/section.tsx';
import type { Item } from '../product.tsx';

/** A picture as the form has it. */
export interface Picture {
  readonly url: string;
  readonly alt: string | null;
}

/** The rows of pictures. A row counts if it has a picture, not by its text alone. */
export const pictureRows = rowsOf(z.object({ url: z.string().trim(), alt: optionalText }), ['url']);

const picturesOf = ({ media }: Item): Picture[] => media.map(({ url, alt }) => ({ url, alt }));

const Fields = z
  .object({ images: pictureRows, files: pictureFiles })
  .transform((values): { images: Picture[]; files: File[] } => values);

/** The fields of pictures in their order, and the field that uploads more. */
export const PictureFields = ({ f, pictures }: { f: Filled; pictures: readonly Picture[] }) => (
  <>
    <Rows
      f={f}
      name="images"
      legend="Pictures"
      one="picture"
      hint="The first one is the main picture. Drag them, or use the arrows, to change the order"
      rows={pictures}
      counted={['url']}
      spare={0}
      ordered
    >
      {({ f: row, at, row: stored }) => <PictureRow f={row} at={at} stored={stored} />}
    </Rows>
    <div data-drop="">
      <Field
        f={f}
        name="files"
        label="Upload pictures"
        type="file"
        hint={PICTURES_HINT}
        attributes={{ accept: PICTURE_TYPES, multiple: true }}
      />
    </div>
  </>
);

interface RowProps {
  readonly f: Filled;
  at(part: string): string;
  readonly stored: Picture | undefined;
}

const PictureRow = ({ f, at, stored }: RowProps) => {
  const url = stored?.url ?? f.request.sent[at('url')]?.[0] ?? '';
  return (
    <>
      {url ? (
        <>
          <Thumbnail url={url} />
          <input type="hidden" name={at('url')} value={url} />
        </>
      ) : (
        <Field f={f} name={at('url')} label="Address" type="url" hint="https://…" />
      )}
      <Field f={f} name={at('alt')} label="Alternative text" value={stored?.alt} maxlength={512} />
    </>
  );
};

const describe = ({ url, alt }: Picture): string => alt ?? url.split('/').at(-1)?.slice(0, 12) ?? '';

/** Stores the uploaded files, then the list of pictures with them. Stored files stay in a form with errors. */
async function save(request: PageRequest, { images, files }: z.output<typeof Fields>): Promise<Outcome> {
  const { urls, errors } = await uploadPictures(request, files);
  const all = [...images, ...urls.map((url) => ({ url, alt: null }))];
  const saved = await saveValues(section, request, { images: all });
  if ('formError' in saved) return { ...saved, sent: withPictures(request, all) };
  // What could be stored is saved by now: the form is shown afresh, with the other files' errors.
  return errors.length > 0 ? { ...asFormError(errors.join(' '), 422, 'files'), sent: {} } : saved;
}

/** Returns the submitted fields with these pictures as rows. */
export function withPictures({ sent }: PageRequest, pictures: readonly Picture[]): PageRequest['sent'] {
  const others = Object.entries(sent).filter(([field]) => !field.startsWith('images.'));
  const rows = pictures.flatMap(({ url, alt }, n) => [
    [`images.${n}.url`, [url]] as const,
    [`images.${n}.alt`, [alt ?? '']] as const,
  ]);
  return Object.fromEntries([...others, ...rows]);
}

const section = listSection({
  path: '/pictures',
  submit: 'Save pictures',
  form: Fields,
  key: 'images',
  label: 'Pictures',
  limits: PICTURES_LIMITS,
  file: true,
  listOf: picturesOf,
  write: (_, images) => ({ images }),
  say: (value) => (Array.isArray(value) ? `${value.length}: ${value.map(describe).join(', ')}` : ''),
  fields: ({ f }, pictures) => <PictureFields f={f} pictures={pictures} />,
});

/** The pictures of a product: upload, order and texts. */
export const picturePages: readonly Page[] = sectionPages({ ...section, save });
