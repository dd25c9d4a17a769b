import { type Context, Hono } from 'hono';
import type { App } from '../kernel/http/context.ts';
import { readOnly } from '../kernel/http/problem.ts';
import { respondJson } from '../kernel/http/response.ts';
import { checkHealth, checkReadiness, type Health, isShardPart } from './health.ts';

/** Returns 200 if the status is `ok` or `degraded`, else 503, with each part's state. */
function report(c: Context<App>, status: string, checks: Health, more: object = {}): Response {
  return respondJson(c, { status, checks, ...more }, status === 'failed' ? 503 : 200);
}

const failedParts = (checks: Health): string[] => Object.keys(checks).filter((part) => checks[part] !== 'ok');

/** Returns the status of a deployment that serves: `degraded` if only tenants of a shard are without service. */
function serviceStatus(checks: Health): 'ok' | 'degraded' | 'failed' {
  const failed = failedParts(checks);
  if (failed.length === 0) return 'ok';
  return failed.every(isShardPart) ? 'degraded' : 'failed';
}

/** `/healthz` for monitors, and `/readyz` for deployments. Neither needs a token. */
export const healthRoutes = new Hono<App>();

healthRoutes
  .get('/healthz', async (c) => {
    const checks = await checkHealth(c.env);
    return report(c, serviceStatus(checks), checks);
  })
  .all(readOnly);
healthRoutes
  .get('/readyz', async (c) => {
    const { checks, lastCronAt } = await checkReadiness(c.env);
    const status = failedParts(checks).length === 0 ? 'ok' : 'failed';
    return report(c, status, checks, { last_cron_at: lastCronAt });
  })
  .all(readOnly);
