import { PRODUCT_TYPES, Product, type ProductType } from '../../../../catalog/index.ts';
import type { TenantRow } from '../../../../tenants/index.ts';
import {
  Area,
  allAnswers,
  Field,
  type Filled,
  Form,
  type FormError,
  formPages,
  type Link,
  type Outcome,
  type Page,
  type PageRequest,
  Part,
  postOnce,
  type View,
} from '../../../../web/index.ts';
import { CategoryPicker, type CategoryPlace, loadCategories } from '../../../pickers/category-picker.tsx';
import type { FoundChoices } from '../../../pickers/found-picker.tsx';
import { PICTURES_LIMITS, uploadPictures } from '../../../pictures.tsx';
import { priceErrors } from '../price-errors.ts';
import { explainedAmount, root, TYPES } from '../product.tsx';
import { MainCard, StockCard } from '../sections/general-fields.tsx';
import { PictureFields, withPictures } from '../sections/pictures.tsx';
import { OtherPrices, PriceCard, SaleCard } from '../sections/price-fields.tsx';
import { FileFields } from '../types/files.tsx';
import { HeadingFields } from '../types/group-fields.tsx';
import { AddMembers, loadPicker } from '../types/member-fields.tsx';
import { SlotFields } from '../types/slot-fields.tsx';
import { OptionFields } from '../variants/option-fields.tsx';
import { NewProductFields, newProductError, readNewProduct } from './new-body.ts';

const here = `${root}/new` as const;
const trail: readonly Link[] = [[root, 'Products']];

/** The choice of a product's type: the first step. */
const typeChoice: View = {
  title: 'New product',
  trail,
  body: (
    <ul class="shelf">
      <Part name="shelf" />
      {Object.entries(TYPES).map(([type, [name, description]]) => (
        <li>
          <a href={`${here}?type=${type}`}>{name}</a>
          <p class="hint">{description}</p>
        </li>
      ))}
    </ul>
  ),
};

/** What the form of a new product is rendered from. */
interface NewState {
  readonly f: Filled;
  readonly tenant: TenantRow;
  readonly categories: readonly CategoryPlace[];
  readonly choices: FoundChoices;
}

/** The fields that a type has besides those of every product. */
const OWN_FIELDS: Readonly<Partial<Record<ProductType, (state: NewState) => ReturnType<typeof Field>>>> = {
  configurable: ({ f, tenant }) => (
    <>
      <OptionFields f={f} options={[]} />
      <div class="pair">
        <Field
          f={f}
          name="variant_price"
          label={`Price of each variant (${tenant.currencies[0]})`}
          required
          attributes={explainedAmount(tenant.currencies[0] ?? '')}
        />
        <OtherPrices
          f={f}
          currencies={tenant.currencies.slice(1)}
          prices={undefined}
          name="variant_prices"
          label="Price of each variant"
          hint="Leave empty where they are not sold"
        />
        <Field
          f={f}
          name="variant_stock"
          label="Stock of each variant"
          type="number"
          value={0}
          attributes={{ min: 0 }}
        />
      </div>
    </>
  ),
  downloadable: ({ f, tenant }) => <FileFields f={f} links={[]} currencies={tenant.currencies} />,
  grouped: ({ f, choices }) => <AddMembers f={f} choices={choices} />,
  bundled: ({ f, choices }) => (
    <>
      <p class="hint">This is the first choice of the bundle. Others can be added afterwards.</p>
      <HeadingFields f={f} group={null} />
      <AddMembers f={f} choices={choices} />
    </>
  ),
  booking: ({ f }) => <SlotFields f={f} timezone="" slots={[]} />,
};

const NewProductForm = ({ type, ...state }: NewState & { type: ProductType }) => {
  const { f, tenant, categories } = state;
  const props = { f, tenant, type, product: null };
  const own = OWN_FIELDS[type]?.(state);
  return (
    <div class="editor">
      <Form request={f.request} action={here} submit="Create product" file unsaved bare>
        <input type="hidden" name="type" value={type} />
        <MainCard {...props} />
        {own && (
          <section class="card" aria-label={TYPES[type][0]}>
            {own}
          </section>
        )}
        <section class="card" aria-label="Pictures">
          <Part name="products" />
          <PictureFields f={f} pictures={[]} />
        </section>
        <PriceCard {...props} />
        <SaleCard {...props} />
        <StockCard {...props} />
        <section class="card" aria-label="Organisation">
          <CategoryPicker f={f} name="category_ids" legend="Categories" categories={categories} stored={[]} />
          <Area f={f} name="tags" label="Tags" hint="One per line" />
        </section>
      </Form>
      <aside class="card" aria-label="Type">
        <h2>{TYPES[type][0]}</h2>
        <p>{TYPES[type][1]}.</p>
        <p>
          <a href={here}>Choose another type</a>
        </p>
      </aside>
    </div>
  );
};

const newPage = async (request: PageRequest, formError: FormError | null): Promise<View | Outcome> => {
  const asked = request.sent.type?.[0] ?? request.query('type');
  const type = PRODUCT_TYPES.find((one) => one === asked);
  if (!type) return typeChoice;
  const [{ tenant }, read] = await Promise.all([
    request.developer(),
    allAnswers({ categories: loadCategories(request), choices: loadPicker(request) }),
  ]);
  if (!read.ok) return read;
  const state = { f: { request, formError }, tenant, ...read.value };
  return { title: 'New product', trail, body: <NewProductForm type={type} {...state} /> };
};

/** Stores the pictures, then creates the product with them. Stored pictures stay in a form with errors. */
async function create(request: PageRequest, fields: NewProductFields): Promise<Outcome> {
  const uploaded = await uploadPictures(request, fields.files);
  const images = [...fields.images, ...uploaded.urls.map((url) => ({ url, alt: null }))];
  const sent = withPictures(request, images);
  const read = readNewProduct({ ...fields, images });
  const errors = {
    ...priceErrors(request),
    ...('errors' in read && read.errors),
    ...(uploaded.errors.length > 0 && { files: [...uploaded.errors] }),
  };
  if ('errors' in read || Object.keys(errors).length > 0) {
    return { formError: { message: 'Correct the marked fields.', errors, status: 422 }, sent };
  }
  const created = await postOnce(request, { path: '/v1/products', body: read.body, answer: Product });
  if (!created.ok) {
    return { formError: newProductError(created.formError), sent };
  }
  const { id, type } = created.value;
  return { to: `${root}/${id}${type === 'configurable' ? '/variants' : ''}`, note: 'created' };
}

/** The pages that create a product: the choice of its type, and its form. */
export const newProductPages: readonly Page[] = formPages(
  { path: here, audience: 'developer', needs: 'staff', form: NewProductFields, limits: PICTURES_LIMITS },
  newPage,
  create,
);
