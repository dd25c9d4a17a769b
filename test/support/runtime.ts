import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { directory } from '../../src/kernel/data/database.ts';
import { type Runtime, type TenantContext, tenantContext } from '../../src/kernel/data/tenant-context.ts';

/** The main database. */
export const db = () => directory(env);

/** The bindings and the context of a call that no request makes. */
export const runtime = { env, ctx: createExecutionContext() } satisfies Runtime;

/** Returns the context of a call on behalf of a tenant. */
export const contextOf = ({ tenantId }: { readonly tenantId: number }): TenantContext =>
  tenantContext(runtime, tenantId);
