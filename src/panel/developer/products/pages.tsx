import { getPage, type Page } from '../../../web/index.ts';
import { actionPages } from './actions.tsx';
import { generalSections } from './general.tsx';
import { organisationPages } from './organisation.tsx';
import { picturePages } from './pictures.tsx';
import { listPage } from './product-list.tsx';
import { searchEnginePages } from './search-engines.tsx';
import { filePages } from './types/files.tsx';
import { optionPages } from './types/options.tsx';
import { variantPages } from './types/variants.tsx';

const at = (path: string) => ({ path: `/developer/products${path}`, audience: 'developer' }) as const;

/** The pages of the catalogue's products. */
export const productPages: readonly Page[] = [
  getPage(at(''), listPage),
  ...generalSections,
  ...variantPages,
  ...optionPages,
  ...filePages,
  ...picturePages,
  ...organisationPages,
  ...searchEnginePages,
  ...actionPages,
];
