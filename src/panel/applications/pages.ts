import { z } from 'zod';
import { form, formPages, getPage, type Page } from '../../web/index.ts';
import { confirmPages } from '../confirm.tsx';
import { onePage, patch } from './application.tsx';
import { Create, Patch } from './form.tsx';
import { listPage } from './list.tsx';
import type { PanelScope } from './scope.tsx';
import { create, disabling, newPage, rotate, rotation, setStatus } from './token.tsx';

/** The pages of applications and tokens, below the root of the scope. */
export function applicationPages(scope: PanelScope): readonly Page[] {
  const { audience, root } = scope;
  // A path below the root has the root's prefix, which the template type can't express.
  const at = (path: string) => ({ audience, path: `${root}${path}` as PanelScope['root'] });
  const owners = { needs: 'owner' } as const;
  return [
    getPage(at(''), listPage(scope)),
    ...formPages({ ...at('/new'), ...owners, form: Create }, newPage(scope), create(scope)),
    getPage(at('/:id'), onePage(scope)),
    form({ ...at('/:id'), ...owners, form: Patch }, onePage(scope), patch(scope)),
    ...confirmPages({ ...at('/:id/rotate'), ...owners }, rotation(scope), rotate(scope)),
    ...confirmPages({ ...at('/:id/disable'), ...owners }, disabling(scope), setStatus(scope, 'passive')),
    form({ ...at('/:id/enable'), ...owners, form: z.object({}) }, onePage(scope), setStatus(scope, 'active')),
  ];
}
