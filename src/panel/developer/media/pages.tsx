import { z } from 'zod';
import { type Media, MediaList } from '../../../media/index.ts';
import {
  ActionLink,
  clip,
  Field,
  type Filled,
  Form,
  type FormError,
  form,
  getPage,
  type Outcome,
  type Page,
  type PageRequest,
  Part,
  pageParam,
  Table,
  When,
} from '../../../web/index.ts';
import { confirmPages } from '../../confirm.tsx';
import {
  PICTURE_HINT,
  PICTURE_LIMITS,
  PICTURE_TYPES,
  smallPicture,
  Thumbnail,
  uploadPicture,
} from '../../pictures.tsx';
import { loadPicture, mediaPath, pictureSection, root, sizeText, type Use } from './picture.tsx';

/** Pictures on one page. */
const PAGE_SIZE = 12;

const UploadForm = ({ f }: { f: Filled }) => (
  <Form request={f.request} action={root} submit="Upload" file>
    <Field
      f={f}
      name="picture"
      label="Picture"
      type="file"
      hint={`${PICTURE_HINT}. The same picture is stored once`}
      required
      attributes={{ accept: PICTURE_TYPES }}
    />
  </Form>
);

/** The products that show a picture, each linked. */
const Uses = ({ of: { product_ids = [] } }: { of: Media }) =>
  product_ids.length === 0 ? (
    <span class="hint">no product</span>
  ) : (
    <span>
      {product_ids.map((id, n) => (
        <>
          {n > 0 && ', '}
          <a href={`/developer/products/${id}`}>Product {id}</a>
        </>
      ))}
      {product_ids.length === MOST_USES && ' …'}
    </span>
  );

/** The most products that the API names for a picture. */
const MOST_USES = 10;

const cellsOf = (request: PageRequest) => (picture: Media) => [
  <a class="product" href={`${root}/${picture.id}`}>
    <Thumbnail url={picture.url} />
    <span>
      {picture.content_type.replace('image/', '').toUpperCase()} {picture.width} × {picture.height}
    </span>
  </a>,
  sizeText(picture.bytes),
  <Uses of={picture} />,
  <When at={picture.created_at} />,
  <ActionLink
    request={request}
    href={`${root}/${picture.id}/delete`}
    about={`Delete the picture ${picture.id.slice(-6)}`}
  >
    Delete
  </ActionLink>,
];

const listPage = async (request: PageRequest, formError: FormError | null) => {
  const answer = await request.api({
    path: `/v1/media?limit=${PAGE_SIZE}&page=${pageParam(request)}`,
    answer: MediaList,
  });
  if (!answer.ok) return answer;
  const { data, meta } = answer.value;
  const body = (
    <>
      <Part name="products" />
      {request.may('post', root) && <UploadForm f={{ request, formError }} />}
      <Table
        label="Pictures"
        head={['Picture', 'Size', 'Shown by', 'Uploaded', 'Delete']}
        figures={[1]}
        rows={data.map(cellsOf(request))}
        empty={<p>No pictures yet. Pictures of products and categories are kept here.</p>}
        pages={{ meta: meta, href: (to) => `${root}?page=${to}` }}
      />
    </>
  );
  return { title: 'Media', body };
};

const Upload = z.object({
  picture: z
    .instanceof(File, { message: 'must be a file' })
    .refine((file) => file.size > 0, 'must not be empty'),
});

async function upload(request: PageRequest, { picture }: z.output<typeof Upload>): Promise<Outcome> {
  const uploaded = await uploadPicture(request, picture);
  if (uploaded.ok) return { to: root, note: 'created' };
  const { formError } = uploaded;
  return { formError: { ...formError, errors: { picture: [formError.message] } } };
}

/** The names of products, each linked. */
const Names = ({ of }: { readonly of: readonly Use[] }) => (
  <>
    {of.map(({ id, name }, n) => (
      <>
        {n > 0 && ', '}
        <a href={`/developer/products/${id}`}>{clip(name, 60)}</a>
      </>
    ))}
  </>
);

/** What the API refuses to take a picture from, besides products. */
const ShownElsewhere = z.object({ category_ids: z.array(z.int()), theme: z.boolean() });

/** The categories and the theme that kept a picture from being deleted, each linked. */
const ShownBy = ({ of: formError }: { readonly of: FormError | null }) => {
  const { data } = ShownElsewhere.safeParse(formError?.code === 'media_in_use' ? formError.details : null);
  return data ? (
    <ul>
      {data.category_ids.map((id) => (
        <li>
          <a href={`/developer/categories/${id}`}>Category {id}</a>
        </li>
      ))}
      {data.theme && (
        <li>
          <a href="/developer/theme">The theme</a>
        </li>
      )}
    </ul>
  ) : null;
};

const deletePages = confirmPages(
  { path: `${root}/:id/delete`, audience: 'developer' },
  async (request, formError) => {
    const loaded = await loadPicture(request);
    if (!loaded.ok) return loaded;
    const [{ url, width, height }, uses] = loaded.value;
    return {
      title: 'Delete the picture?',
      trail: [[root, 'Media']],
      body: (
        <>
          <p>
            <img
              src={smallPicture(url, 320)}
              alt={`${width} × ${height}`}
              width={160}
              height={160}
              class="portrait"
            />
          </p>
          {uses.length > 0 ? (
            <p>
              Products show it, so it can’t be deleted: <Names of={uses} />.
            </p>
          ) : (
            <p>
              No product shows it. It can’t be deleted while a category or the theme shows it. Its address{' '}
              <code>{clip(url, 60)}</code> stops working.
            </p>
          )}
          <ShownBy of={formError} />
        </>
      ),
      submit: 'Delete picture',
      keep: [root, 'Keep the picture'],
    };
  },
  async (request) => {
    const removed = await request.api({ method: 'DELETE', path: mediaPath(request) });
    return removed.ok ? { to: root, note: 'removed' } : removed;
  },
);

const at = { path: root, audience: 'developer' } as const;

/** The pages that list, upload and delete pictures. */
export const mediaPages: readonly Page[] = [
  getPage(at, listPage),
  form({ ...at, form: Upload, limits: PICTURE_LIMITS }, listPage, upload),
  ...pictureSection,
  ...deletePages,
];
