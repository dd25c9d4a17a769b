import type { Page } from '../../web/index.ts';
import { applicationPages } from '../applications/pages.ts';
import { auditPages } from '../audit/audit-log.tsx';
import { overviewPages } from '../insights/overview.tsx';
import { quickStartPages } from '../insights/quick-start.tsx';
import { requestLogPages } from '../insights/request-log.tsx';
import { searchPages } from '../insights/search.tsx';
import { accountPages } from '../people/account.tsx';
import { peoplePages } from '../people/people.tsx';
import { categoryPages } from './categories/pages.tsx';
import { customerPages } from './customers/pages.tsx';
import { feedPages } from './feeds.tsx';
import { importPages } from './imports.tsx';
import { mediaPages } from './media/pages.tsx';
import { orderPages } from './orders/pages.tsx';
import { productPages } from './products/pages.tsx';
import { promotionPages } from './promotions/pages.tsx';
import { settingsPages } from './settings/pages.tsx';
import { themePages } from './theme.tsx';
import { webhookPages } from './webhooks.tsx';

/** The pages of the developer panel. */
export const developerPages: readonly Page[] = [
  ...overviewPages,
  ...searchPages,
  ...productPages,
  ...categoryPages,
  ...mediaPages,
  ...importPages,
  ...orderPages,
  ...customerPages,
  ...promotionPages,
  ...themePages,
  ...settingsPages,
  ...feedPages,
  ...webhookPages,
  ...quickStartPages,
  ...requestLogPages,
  ...peoplePages,
  ...accountPages,
  ...auditPages({ audience: 'developer', root: '/developer/audit-log' }),
  ...applicationPages({
    audience: 'developer',
    root: '/developer/applications',
    slug: (request) => request.tenant.slug,
  }),
];
