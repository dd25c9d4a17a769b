import type { Page } from '../web/index.ts';
import { adminPages } from './admin/pages.tsx';
import { developerPages } from './developer/pages.tsx';
import { signInPages } from './sign-in.tsx';

/** Every page of the panels of the super-admin and of a tenant's developers. */
export const panelPages: readonly Page[] = [...signInPages, ...adminPages, ...developerPages];
