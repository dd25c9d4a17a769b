import type { Child } from 'hono/jsx';
import type { z } from 'zod';
import type { ProductType } from '../../../../catalog/index.ts';
import { BODY_DEADLINE_MS } from '../../../../kernel/input/body.ts';
import type { TenantRow } from '../../../../tenants/index.ts';
import {
  type Answer,
  clip,
  type Filled,
  Form,
  type FormError,
  formPages,
  type Link,
  type Outcome,
  type Page,
  type PageRequest,
  Part,
  State,
  Tabs,
  type View,
} from '../../../../web/index.ts';
import type { Values } from '../../../editing/changes.ts';
import { EditedParts } from '../../../editing/save-edit.tsx';
import { type Item, loadProduct, root } from '../product.tsx';
import { type ProductPart, saveSection } from './save-section.ts';

/**
 * Limits of a form with all long texts of a product: of at most 1 MB as JSON, which a form's encoding makes three times
 * as long, and with the names of the fields.
 */
export const TEXT_LIMITS = { maxBytes: 4 * 1024 * 1024, deadlineMs: BODY_DEADLINE_MS };

/** What a section's fields are rendered from. */
export interface SectionState<Extra> {
  readonly f: Filled;
  readonly product: Item;
  readonly tenant: TenantRow;
  readonly extra: Extra;
}

/** A page of the editor with one form. */
export interface Section<Fields extends z.ZodType<Values>, Extra = null> {
  /** Below the product's path. */
  readonly path: '' | `/${string}`;
  /** The path of the tab that the section belongs to; by default its own. */
  readonly tab?: string;
  readonly submit?: string;
  readonly form: Fields;
  readonly limits?: Page['limits'];
  /** Whether the form has files. */
  readonly file?: boolean;
  /** Starts the reads beside that of the product, so that all share one round trip. */
  readonly load?: (request: PageRequest) => Promise<Answer<Extra>>;
  /** Returns the error of a page whose part of the product is gone. */
  missing?(request: PageRequest, product: Item): { readonly formError: FormError } | null;
  parts(request: PageRequest, product: Item): readonly ProductPart[];
  fields(state: SectionState<Extra>): Child;
  /** What is shown beside the form. */
  beside?(state: SectionState<Extra>): Child;
  /** What is shown below the form. */
  below?(state: SectionState<Extra>): Child;
  /** Returns the API's patch for changed parts; by default the parts themselves. */
  patch?(product: Item, changed: Values, request: PageRequest): object;
  /** Returns the form's field of an error's path of the API; by default the path itself. */
  fieldOf?(path: string, request: PageRequest): string;
  /** Saves the form; by default its values as {@link saveSection} does. */
  save?(request: PageRequest, values: z.output<Fields>): Promise<Outcome>;
}

/** The section that belongs to a product type alone: its path and its label. */
const OWN_TABS: Readonly<Partial<Record<ProductType, Link>>> = {
  configurable: ['/variants', 'Variants'],
  downloadable: ['/files', 'Files'],
  grouped: ['/members', 'Products'],
  bundled: ['/choices', 'Choices'],
  booking: ['/slots', 'Time slots'],
};

/**
 * Returns a redirect to the product's own page for a tab that only other types have, such as the variants of a simple
 * product: its form would be empty, and could not be saved.
 */
export function leaveForeignTab({ id, type }: Item, tab: string): Outcome | null {
  const isOfSomeType = Object.values(OWN_TABS).some(([path]) => path === tab);
  return isOfSomeType && OWN_TABS[type]?.[0] !== tab ? { to: `${root}/${id}` } : null;
}

/** Returns the editor's pages about a product of a type: their paths below the product's, and their labels. */
function tabsOf(type: ProductType): readonly Link[] {
  const own = OWN_TABS[type];
  return [
    ['', 'Product'],
    ...(own ? [own] : []),
    ['/pictures', 'Pictures'],
    ['/organisation', 'Organisation'],
    ['/search-engines', 'Search engines'],
  ];
}

const ProductTabs = ({ product: { id, type }, current }: { product: Item; current: string }) => (
  <Tabs
    label="Product"
    here={`${root}/${id}${current}`}
    links={tabsOf(type).map(([path, label]) => [`${root}/${id}${path}`, label] as const)}
  />
);

/** Returns the frame of a page about a product: title, breadcrumbs, status and tabs. */
export const productView = (product: Item, current: string, body: Child): View => ({
  title: clip(product.name),
  section: current === '' ? undefined : tabsOf(product.type).find(([path]) => path === current)?.[1],
  trail: [[root, 'Products']],
  body: (
    <>
      <Part name="products" />
      <ProductTabs product={product} current={current} />
      {product.status === 'inactive' && (
        <p class="hint">
          <State is="inactive" /> Shoppers don't see this product.
        </p>
      )}
      {body}
    </>
  ),
});

const at = (path: string) => ({ path: `${root}/:id${path}`, audience: 'developer' }) as const;

/** Returns the two pages of a section: one shows its form, one saves it. */
export function sectionPages<Fields extends z.ZodType<Values>, Extra = null>(
  section: Section<Fields, Extra>,
): readonly Page[] {
  const show = async (request: PageRequest, formError: FormError | null) => {
    const [answer, { tenant }, extra] = await Promise.all([
      loadProduct(request),
      request.developer(),
      section.load?.(request),
    ]);
    if (!answer.ok) return answer;
    if (extra?.ok === false) return extra;
    const missing = section.missing?.(request, answer.value);
    if (missing) return missing;
    const elsewhere = formError ? null : leaveForeignTab(answer.value, section.tab ?? section.path);
    if (elsewhere) return elsewhere;
    // A section without `load` has no `Extra`: it is null.
    const loaded = (extra?.value ?? null) as Extra;
    return sectionView(section, { f: { request, formError }, product: answer.value, tenant, extra: loaded });
  };
  const save = (request: PageRequest, values: z.output<Fields>) =>
    section.save?.(request, values) ?? saveValues(section, request, values);
  const limits = section.limits && { limits: section.limits };
  return formPages({ ...at(section.path), ...limits, form: section.form }, show, save);
}

/** Saves a section's values. */
export const saveValues = <Fields extends z.ZodType<Values>, Extra>(
  section: Section<Fields, Extra>,
  request: PageRequest,
  values: Values,
): Promise<Outcome> =>
  saveSection(request, {
    parts: (product) => section.parts(request, product),
    values,
    ...(section.patch && { patch: (product, changed) => section.patch?.(product, changed, request) ?? {} }),
    fieldOf: (path) => section.fieldOf?.(path, request) ?? path,
  });

function sectionView<Fields extends z.ZodType<Values>, Extra>(
  section: Section<Fields, Extra>,
  state: SectionState<Extra>,
): View {
  const { f, product } = state;
  const edit = (
    <Form
      request={f.request}
      action={pathOf(section.path, f.request)}
      submit={section.submit ?? 'Save'}
      unsaved
      file={section.file ?? false}
      bare={section.beside !== undefined}
    >
      <EditedParts f={f} parts={section.parts(f.request, product)} stored={product} />
      {section.fields(state)}
    </Form>
  );
  const beside = section.beside?.(state);
  const body = (
    <>
      {beside ? (
        <div class="editor">
          {edit}
          {beside}
        </div>
      ) : (
        edit
      )}
      {section.below?.(state)}
    </>
  );
  return productView(product, section.tab ?? section.path, body);
}

/** Returns the path of a section of the request's product. */
const pathOf = (path: string, request: PageRequest): string =>
  `${root}/:id${path}`.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(request.param(name)));
