import { getPage, type Page } from '../../../web/index.ts';
import { actionPages } from './actions.tsx';
import { newProductPages } from './create/new-product.tsx';
import { bulkPages } from './list/bulk-pages.tsx';
import { EXPORT_PATH, exportProducts, listPage } from './list/product-list.tsx';
import { generalSections } from './sections/general.tsx';
import { organisationPages } from './sections/organisation.tsx';
import { picturePages } from './sections/pictures.tsx';
import { searchEnginePages } from './sections/search-engines.tsx';
import { choicePages } from './types/choices.tsx';
import { filePages } from './types/files.tsx';
import { memberPages } from './types/members.tsx';
import { slotPages } from './types/slots.tsx';
import { variantPages } from './variants/grid.tsx';
import { optionPages } from './variants/options.tsx';
import { singleVariantPages } from './variants/variant.tsx';

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
