import { type Context, Hono } from 'hono';
import type { App } from '../kernel/http/context.ts';
import { readOnly } from '../kernel/http/problem.ts';
import { respondJson } from '../kernel/http/response.ts';
import { checkHealth, checkReadiness, everyShardFails, type Health, isShardPart } from './health.ts';

/** The body of both paths: the state of the deployment and of each of its parts. */
interface Report {
  readonly status: 'ok' | 'degraded' | 'failed';
  readonly checks: Health;
  readonly last_cron_at?: string | null;
}

/** Returns 200 if the status is `ok` or `degraded`, else 503, with each part's state. */
const respondReport = (c: Context<App>, report: Report): Response =>
  respondJson(c, report, report.status === 'failed' ? 503 : 200);

const failedParts = (checks: Health): string[] => Object.keys(checks).filter((part) => checks[part] !== 'ok');

/** Returns the status of a deployment that serves: `degraded` if only the tenants of some shards are without service. */
function serviceStatus(env: Env, checks: Health): Report['status'] {
  const failed = failedParts(checks);
  if (failed.length === 0) return 'ok';
  return failed.every(isShardPart) && !everyShardFails(env, checks) ? 'degraded' : 'failed';
}

/** `/healthz` for monitors, and `/readyz` for deployments. Neither needs a token. */
export const healthRoutes = new Hono<App>();

healthRoutes
  .get('/healthz', async (c) => {
    const checks = await checkHealth(c.env);
    return respondReport(c, { status: serviceStatus(c.env, checks), checks });
  })
  .all(readOnly);
healthRoutes
  .get('/readyz', async (c) => {
    const { checks, lastCronAt } = await checkReadiness(c.env);
    const status = failedParts(checks).length === 0 ? 'ok' : 'failed';
    return respondReport(c, { status, checks, last_cron_at: lastCronAt });
  })
  .all(readOnly);
