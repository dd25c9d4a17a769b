import { getPage, type Page } from '../../../web/index.ts';
import { actionPages } from './actions.tsx';
import { generalSections } from './general.tsx';
import { bulkPages } from './list/bulk-pages.tsx';
import { EXPORT_PATH, exportProducts, listPage } from './list/product-list.tsx';
import { newProductPages } from './new-product.tsx';
import { organisationPages } from './organisation.tsx';
import { picturePages } from './pictures.tsx';
import { searchEnginePages } from './search-engines.tsx';
import { choicePages } from './types/choices.tsx';
import { filePages } from './types/files.tsx';
import { memberPages } from './types/members.tsx';
import { optionPages } from './types/options.tsx';
import { slotPages } from './types/slots.tsx';
import { singleVariantPages } from './types/variant.tsx';
import { variantPages } from './types/variants.tsx';

const at = (path: string) => ({ path: `/developer/products${path}`, audience: 'developer' }) as const;

/** The pages of the catalogue's products. */
export const productPages: readonly Page[] = [
  getPage(at(''), listPage),
  ...newProductPages,
  ...bulkPages,
  getPage({ path: EXPORT_PATH, audience: 'developer', needs: 'staff' }, exportProducts),
  ...generalSections,
  ...variantPages,
  ...optionPages,
  ...singleVariantPages,
  ...filePages,
  ...memberPages,
  ...choicePages,
  ...slotPages,
  ...picturePages,
  ...organisationPages,
  ...searchEnginePages,
  ...actionPages,
];
