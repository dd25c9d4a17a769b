import { z } from 'zod';
import type { Media } from '../../../media/index.ts';
import { clip, type FormError, type Outcome, type Page, type PageRequest } from '../../../web/index.ts';
import { commaSeparated } from '../../comma-separated.ts';
import { confirmPages, deleteAt, type Question } from '../../confirm.tsx';
import { loadCategories } from '../../pickers/category-picker.tsx';
import { smallPicture } from '../../pictures.tsx';
import { loadPicture, mediaPath, root, type Use } from './picture.tsx';

/** Returns the names of products, each linked. */
const namesOf = (uses: readonly Use[]) =>
  commaSeparated(uses.map(({ id, name }) => <a href={`/developer/products/${id}`}>{clip(name, 60)}</a>));

/** What the API refuses to take a picture from, besides products. */
const ShownElsewhere = z.object({ category_ids: z.array(z.int()), theme: z.boolean() });

/** The categories and the theme that kept a picture from being deleted, each linked. */
async function shownBy(request: PageRequest, formError: FormError | null) {
  const { data } = ShownElsewhere.safeParse(formError?.code === 'media_in_use' ? formError.details : null);
  if (!data) return null;
  const all = data.category_ids.length > 0 ? await loadCategories(request) : null;
  const nameOf = (id: number) =>
    all?.ok ? all.value.find(({ category }) => category.id === id)?.category.name : undefined;
  return (
    <ul>
      {data.category_ids.map((id) => (
        <li>
          <a href={`/developer/categories/${id}`}>{clip(nameOf(id) ?? `Category ${id}`, 60)}</a>
        </li>
      ))}
      {data.theme && (
        <li>
          <a href="/developer/theme">The theme</a>
        </li>
      )}
    </ul>
  );
}

const trail = [[root, 'Media']] as const;

const Preview = ({ of: { url, width, height } }: { readonly of: Media }) => (
  <p>
    <img
      src={smallPicture(url, 320)}
      alt={`${width} × ${height}`}
      width={160}
      height={160}
      class="portrait"
    />
  </p>
);

/** Says which products keep a picture from being deleted, without a button that would be refused. */
const inUse = (picture: Media, uses: readonly Use[]): Outcome => ({
  view: {
    title: 'The picture is in use',
    trail,
    body: (
      <div class="card confirm">
        <Preview of={picture} />
        <p>Products show it, so it can’t be deleted: {namesOf(uses)}. Take it out of them first.</p>
        <p>
          <a href={`${root}/${picture.id}`}>Back to the picture</a>
        </p>
      </div>
    ),
  },
});

async function deletion(request: PageRequest, formError: FormError | null): Promise<Question | Outcome> {
  const loaded = await loadPicture(request);
  if (!loaded.ok) return loaded;
  const [picture, uses] = loaded.value;
  if (uses.length > 0) return inUse(picture, uses);
  return {
    title: 'Delete the picture?',
    trail,
    body: (
      <>
        <Preview of={picture} />
        <p>
          No product shows it. It can’t be deleted while a category or the theme shows it. Its address{' '}
          <code>{clip(picture.url, 60)}</code> stops working.
        </p>
        {await shownBy(request, formError)}
      </>
    ),
    submit: 'Delete picture',
    keep: [root, 'Keep the picture'],
  };
}

/** The pages that delete a picture that nothing shows. */
export const deletePages: readonly Page[] = confirmPages(
  { path: `${root}/:id/delete`, audience: 'developer' },
  deletion,
  (request) => deleteAt(request, mediaPath(request), root),
);
