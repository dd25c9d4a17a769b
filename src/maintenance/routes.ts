import { type Context, Hono } from 'hono';
import type { App } from '../kernel/http/context.ts';
import { readOnly } from '../kernel/http/problem.ts';
import { respondJson } from '../kernel/http/response.ts';
import { checkHealth, checkReadiness, type Health } from './health.ts';

/** Returns 200, or 503 if a part has failed, with each part's state. */
function report(c: Context<App>, checks: Health, more: object = {}): Response {
  const healthy = Object.values(checks).every((state) => state === 'ok');
  return respondJson(c, { status: healthy ? 'ok' : 'failed', checks, ...more }, healthy ? 200 : 503);
}

/** `/healthz` for monitors, and `/readyz` for deployments. Neither needs a token. */
export const healthRoutes = new Hono<App>();

healthRoutes.get('/healthz', async (c) => report(c, await checkHealth(c.env))).all(readOnly);
healthRoutes
  .get('/readyz', async (c) => {
    const { checks, lastCronAt } = await checkReadiness(c.env);
    return report(c, checks, { last_cron_at: lastCronAt });
  })
  .all(readOnly);
