import { z } from 'zod';
import { ProductList } from '../../../catalog/index.ts';
import { groupDigits } from '../../../kernel/text/text.ts';
import { MAX_SEARCHED, type Media, MediaList } from '../../../media/index.ts';
import {
  ActionLink,
  clip,
  Field,
  type Filled,
  Form,
  type FormError,
  formPages,
  type Outcome,
  type Page,
  type PageRequest,
  Part,
  pageParam,
  Table,
  When,
} from '../../../web/index.ts';
import { commaSeparated } from '../../comma-separated.ts';
import { PICTURE_HINT, PICTURE_LIMITS, PICTURE_TYPES, Thumbnail, uploadPicture } from '../../pictures.tsx';
import {
  type FilterFormProps,
  filteredList,
  filteredPages,
  givenFilters,
  NoneFound,
  SearchForm,
} from '../../search-form.tsx';
import { deletePages } from './delete-page.tsx';
import { pictureSection, root, sizeText } from './picture.tsx';

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

/** Names of products by their ids. */
type ProductNames = ReadonlyMap<number, string>;

/** Products that the list names for a picture; its own page has all that the API names. */
const MAX_NAMED = 3;

/** Returns the names of the products that the list links. One that can't be read now is left out. */
async function namesOf(request: PageRequest, pictures: readonly Media[]): Promise<ProductNames> {
  const ids = new Set(pictures.flatMap(({ product_ids = [] }) => product_ids.slice(0, MAX_NAMED)));
  if (ids.size === 0) return new Map();
  const asked = new URLSearchParams({ ids: [...ids].join(','), limit: String(ids.size), status: 'all' });
  const answer = await request.api({ path: `/v1/products?${asked}`, answer: ProductList });
  return new Map(answer.ok ? answer.value.data.map(({ id, name }) => [id, name]) : []);
}

interface UsesProps {
  readonly of: Media;
  readonly names: ProductNames;
}

/** The products that show a picture, each linked. */
const Uses = ({ of: { id: picture, product_ids = [] }, names }: UsesProps) =>
  product_ids.length === 0 ? (
    <span class="hint">no product</span>
  ) : (
    <span>
      {commaSeparated(
        product_ids
          .slice(0, MAX_NAMED)
          .map((id) => (
            <a href={`/developer/products/${id}`}>{clip(names.get(id) ?? `Product ${id}`, 40)}</a>
          )),
      )}
      {product_ids.length > MAX_NAMED && (
        <>
          {' '}
          and <a href={`${root}/${picture}`}>others</a>
        </>
      )}
    </span>
  );

const cellsOf = (request: PageRequest, names: ProductNames) => (picture: Media) => [
  <a class="product" href={`${root}/${picture.id}`}>
    <Thumbnail url={picture.url} alt={`Picture ${picture.id.slice(-6)}`} />
    <span>
      {picture.content_type.replace('image/', '').toUpperCase()} {picture.width} × {picture.height}
    </span>
  </a>,
  sizeText(picture.bytes),
  <Uses of={picture} names={names} />,
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
  const filters = givenFilters(request, ['q']);
  const path = `/v1/media?limit=${PAGE_SIZE}&page=${pageParam(request)}&${new URLSearchParams(filters)}`;
  const answer = await request.api({ path, answer: MediaList });
  const names = await namesOf(request, answer.ok ? answer.value.data : []);
  return filteredList({
    title: 'Media',
    answer,
    above: (refused) => (
      <>
        <Part name="products" />
        {request.may('post', root) && <UploadForm f={{ request, formError }} />}
        <SearchForm
          action={root}
          filters={filters}
          label="Alternative text or product"
          maxlength={100}
          formError={refused}
        />
      </>
    ),
    list: ({ data, meta }) => (
      <Table
        label="Pictures"
        head={['Picture', 'Size', 'Shown by', 'Uploaded', 'Delete']}
        figures={[1]}
        rows={data.map(cellsOf(request, names))}
        empty={<None filters={filters} />}
        pages={filteredPages(root, filters, meta)}
      />
    ),
  });
};

const None = ({ filters }: Pick<FilterFormProps, 'filters'>) => (
  <>
    <NoneFound filters={filters} things="pictures" all={root}>
      <p>No pictures yet. Pictures of products and categories are kept here.</p>
    </NoneFound>
    {filters.q && <p class="hint">A search looks at the {groupDigits(MAX_SEARCHED)} newest pictures.</p>}
  </>
);

const Upload = z.object({
  picture: z
    .instanceof(File, { message: 'must be a file' })
    .refine((file) => file.size > 0, 'must not be empty'),
});

async function upload(request: PageRequest, { picture }: z.output<typeof Upload>): Promise<Outcome> {
  const uploaded = await uploadPicture(request, picture);
  return uploaded.ok ? { to: root, note: 'created' } : uploaded;
}

/** The pages that list, upload and delete pictures. */
export const mediaPages: readonly Page[] = [
  ...formPages({ path: root, audience: 'developer', form: Upload, limits: PICTURE_LIMITS }, listPage, upload),
  ...pictureSection,
  ...deletePages,
];
