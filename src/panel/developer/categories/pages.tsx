import type { z } from 'zod';
import { Category } from '../../../catalog/index.ts';
import {
  ActionLink,
  allAnswers,
  clip,
  Form,
  type FormError,
  formPages,
  type Link,
  type Outcome,
  type Page,
  type PageRequest,
  postOnce,
} from '../../../web/index.ts';
import { confirmPages, deleteAt } from '../../confirm.tsx';
import { countOf } from '../../count-of.ts';
import type { Values } from '../../editing/changes.ts';
import { EditedParts, saveEdit } from '../../editing/save-edit.tsx';
import { type CategoryPlace, loadCategories } from '../../pickers/category-picker.tsx';
import { PICTURE_LIMITS } from '../../pictures.tsx';
import { CATEGORY_PARTS, CategoryFields, CategoryForm, valuesOf } from './fields.tsx';
import { MoveForm, moveCategory } from './move.ts';
import { openPath, root, Tree } from './tree.tsx';

type Submitted = z.output<typeof CategoryForm>;

const HOME: Link = [root, 'Categories'];

const treePage = async (request: PageRequest) => {
  const categories = await loadCategories(request);
  if (!categories.ok) return categories;
  const body = (
    <>
      <p class="lead">
        Shoppers find products by their categories.{' '}
        {request.may('post', root) && 'Drag a category to move it, or use the arrows.'}
      </p>
      <Tree request={request} places={categories.value} />
    </>
  );
  return { title: 'Categories', body, action: [`${root}/new`, 'New category'] as const };
};

const newPage = async (request: PageRequest, formError: FormError | null) => {
  const categories = await loadCategories(request);
  if (!categories.ok) return categories;
  const f = { request, formError };
  const body = (
    <Form request={request} action={`${root}/new`} submit="Create category" file>
      <CategoryFields f={f} categories={categories.value} known={null} />
    </Form>
  );
  return { title: 'New category', trail: [HOME], body };
};

async function create(request: PageRequest, input: Submitted): Promise<Outcome> {
  const body = await valuesOf(request, input);
  if (!body.ok) return body;
  const made = await postOnce(request, { path: '/v1/categories', body: body.value, answer: Category });
  return made.ok
    ? { to: openPath(made.value.id), note: 'created' }
    : { ...made, sent: withPicture(request, body.value) };
}

/** Returns the submitted fields with the picture's address: browsers send no file twice. */
const withPicture = ({ sent }: PageRequest, { image_url }: Values): PageRequest['sent'] => ({
  ...sent,
  image_url: [String(image_url ?? '')],
});

const apiPath = (request: PageRequest): string => `/v1/categories/${encodeURIComponent(request.param('id'))}`;

const loadCategory = (request: PageRequest) =>
  request.api({ path: `${apiPath(request)}?hidden=true`, answer: Category });

/** Loads the category of the page with the whole tree, in one round trip. */
const loadPlace = (request: PageRequest) =>
  allAnswers({ category: loadCategory(request), categories: loadCategories(request) });

/** Returns the breadcrumbs of a category: those above it. */
function trailOf(categories: readonly CategoryPlace[], parent: number | null): Link[] {
  const above = categories.find(({ category }) => category.id === parent)?.category;
  if (!above) return [HOME];
  return [...trailOf(categories, above.parent_id), [`${root}/${above.id}`, clip(above.name, 40)]];
}

const editPage = async (request: PageRequest, formError: FormError | null) => {
  const loaded = await loadPlace(request);
  if (!loaded.ok) return loaded;
  const { category, categories } = loaded.value;
  const here = `${root}/${category.id}`;
  const f = { request, formError };
  const body = (
    <>
      <Form request={request} action={here} submit="Save" file unsaved>
        <EditedParts f={f} parts={CATEGORY_PARTS} stored={category} />
        <CategoryFields f={f} categories={categories} known={category} />
      </Form>
      <p>
        <a href={`/developer/products?category_id=${category.id}`}>
          {countOf(category.product_count, 'active product')}
        </a>{' '}
        in it and below.
      </p>
      <p class="actions">
        <ActionLink request={request} href={`${root}/new?parent=${category.id}`} class="button secondary">
          Create a subcategory
        </ActionLink>
        <ActionLink request={request} href={`${here}/delete`} class="button danger quiet">
          Delete category
        </ActionLink>
      </p>
    </>
  );
  return { title: clip(category.name, 120), trail: trailOf(categories, category.parent_id), body };
};

/** Saves what was changed here, and asks where somebody else has changed the same meanwhile. */
async function change(request: PageRequest, input: Submitted): Promise<Outcome> {
  const values = await valuesOf(request, input);
  if (!values.ok) return values;
  const saved = await saveEdit(request, {
    path: apiPath(request),
    load: () => loadCategory(request),
    parts: () => CATEGORY_PARTS,
    values: values.value,
  });
  return 'formError' in saved ? { ...saved, sent: withPicture(request, values.value) } : saved;
}

const deleteQuestion = async (request: PageRequest) => {
  const loaded = await loadPlace(request);
  if (!loaded.ok) return loaded;
  const { category, categories } = loaded.value;
  const here = `${root}/${category.id}`;
  const parent = categories.find((place) => place.category.id === category.parent_id)?.category;
  const { children, product_count } = category;
  const body = (
    <>
      <p>
        Its products stay in the shop, without this category. {countOf(product_count, 'active product')}{' '}
        {product_count === 1 ? 'is' : 'are'} in it and below it.
      </p>
      {children.length > 0 && (
        <p>
          {countOf(children.length, 'subcategory')} {children.length === 1 ? 'moves' : 'move'} up to{' '}
          {parent ? <b>{clip(parent.name, 60)}</b> : 'the top of the tree'}, with{' '}
          {children.length === 1 ? 'its' : 'their'} products.
        </p>
      )}
      <p>Links to its address lead nowhere afterwards.</p>
    </>
  );
  return {
    title: `Delete the category ${clip(category.name, 60)}?`,
    trail: [...trailOf(categories, category.parent_id), [here, clip(category.name, 40)] as const],
    body,
    submit: 'Delete category',
    keep: [here, 'Keep the category'] as const,
  };
};

const at = (path: string) => ({ path: `${root}${path}`, audience: 'developer' }) as const;

/** The pages of the category tree: order it, and create, change and delete categories. */
export const categoryPages: readonly Page[] = [
  ...formPages({ ...at(''), form: MoveForm }, treePage, moveCategory),
  ...formPages(
    { ...at('/new'), needs: 'staff', form: CategoryForm, limits: PICTURE_LIMITS },
    newPage,
    create,
  ),
  ...formPages({ ...at('/:id'), form: CategoryForm, limits: PICTURE_LIMITS }, editPage, change),
  ...confirmPages(at('/:id/delete'), deleteQuestion, (request) => deleteAt(request, apiPath(request), root)),
];
