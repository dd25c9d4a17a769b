import { z } from 'zod';
import { productTemplate, type TenantRow } from '../../../../tenants/index.ts';
import {
  ActionLink,
  Area,
  clip,
  Facts,
  Form,
  optionalLines,
  type Page,
  type PageRequest,
  When,
} from '../../../../web/index.ts';
import { Thumbnail } from '../../../pictures.tsx';
import type { ProductPart } from '../editor/save-section.ts';
import { type SectionState, sectionPages, TEXT_LIMITS } from '../editor/section.tsx';
import { type Item, root, stockText, TYPES } from '../product.tsx';
import { MAX_INLINE_DESCRIPTION, MainCard, StockCard } from './general-fields.tsx';
import { GeneralFields, generalParts } from './general-form.ts';
import { PriceCard, SaleCard } from './price-fields.tsx';

/** Pictures that the aside shows. */
const MAX_PICTURES = 4;

/** Returns the parts that the form has fields for: a long description has a page of its own. */
const partsOf = (request: PageRequest): readonly ProductPart[] => generalParts(request.tenant.currencies);

/** Returns the product's page in the shop, if shoppers see the product and the tenant's settings say where that is. */
function shopUrl({ id, slug, status }: Item, { settings }: TenantRow): string | null {
  const template = productTemplate(settings);
  if (!template || status === 'inactive') return null;
  const filled: Readonly<Record<string, string>> = { slug, id: String(id), variant_id: String(id) };
  return template.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(filled[name] ?? ''));
}

/** What can be done with the product besides editing it. */
const Actions = ({ f, product, tenant }: SectionState<null>) => {
  const url = shopUrl(product, tenant);
  return (
    <div class="actions">
      {url && <a href={url}>View in the shop</a>}
      <Form
        request={f.request}
        action={`${root}/${product.id}/duplicate`}
        submit="Duplicate"
        about={clip(product.name, 60)}
        quiet
      />
      <ActionLink request={f.request} href={`${root}/${product.id}/delete`} class="button danger quiet">
        Delete
      </ActionLink>
    </div>
  );
};

/** The first pictures, and the link to all of them. */
const Pictures = ({ of: { id, media } }: { of: Item }) => (
  <div class="strip">
    {media.length > 0 && (
      <p class="row">
        {media.slice(0, MAX_PICTURES).map(({ url, alt }) => (
          <Thumbnail url={url} alt={alt ?? ''} />
        ))}
      </p>
    )}
    <a href={`${root}/${id}/pictures`}>{media.length > 0 ? 'Edit pictures' : 'Add pictures'}</a>
  </div>
);

/** Pictures, facts and actions beside the form. */
const Beside = (state: SectionState<null>) => {
  const { product } = state;
  const categories = product.categories?.map(({ name }) => name).join(', ') ?? '';
  return (
    <aside class="card" aria-label="About the product">
      <Pictures of={product} />
      <Facts
        of={{
          Type: TYPES[product.type][0],
          Stock: stockText(product),
          Categories: <a href={`${root}/${product.id}/organisation`}>{clip(categories, 120) || 'none'}</a>,
          Number: product.id,
          Created: <When at={product.created_at} />,
          Updated: <When at={product.updated_at} />,
        }}
      />
      <Actions {...state} />
    </aside>
  );
};

/** The address of the product in the shop, and the product's own fields. */
const generalPages = sectionPages({
  path: '',
  limits: TEXT_LIMITS,
  form: GeneralFields,
  parts: partsOf,
  fields: ({ f, product, tenant }) => {
    const props = { f, product, tenant, type: product.type };
    return (
      <>
        <MainCard {...props} />
        <PriceCard {...props} />
        <SaleCard {...props} />
        <StockCard {...props} />
      </>
    );
  },
  beside: (state) => <Beside {...state} />,
});

/** A description that is too long for the product's own page. */
const descriptionPages = sectionPages({
  path: '/description',
  limits: TEXT_LIMITS,
  form: z.object({ description: optionalLines }),
  parts: (request) => partsOf(request).filter(({ key }) => key === 'description'),
  fields: ({ f, product }) => (
    <Area
      f={f}
      name="description"
      label="Description"
      hint={`Text or HTML, at most 65,535 characters. Up to ${MAX_INLINE_DESCRIPTION} it is edited with the product`}
      value={product.description}
      maxlength={65_535}
    />
  ),
});

/** The pages that edit the product itself. */
export const generalSections: readonly Page[] = [...generalPages, ...descriptionPages];
