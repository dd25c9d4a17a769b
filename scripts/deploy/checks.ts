import { readDeployment } from './config.ts';
import { createCommand, findResource, isConfigured } from './resources.ts';
import { LOCAL_ONLY, missingSecrets, REQUIRED_SECRETS, secretNames } from './secrets.ts';
import type { Wrangler } from './wrangler.ts';

/** One thing that a deployment needs: `mend` is what to do about it, or `null` if it is in order. */
export interface Finding {
  readonly part: string;
  readonly mend: string | null;
}

/** What {@link examine} looks at. */
export interface Examined {
  readonly run: Wrangler;
  readonly fetch: typeof fetch;
  /** wrangler.toml. */
  readonly config: string;
  /** The deployment's URL, or `null` if its responses are not to be looked at. */
  readonly url: string | null;
}

/** The cron runs every minute, and KV may show the last run a minute or more late. */
const CRON_MAX_AGE_MS = 10 * 60_000;

/** Checks whether the account has all resources, migrations and secrets, and whether the Worker responds. */
export async function examine(site: Examined): Promise<Finding[]> {
  const { resources, crons, unsearchable, logsWithoutUrls, fetchesPublicly } = readDeployment(site.config);
  const findings: Finding[] = [];
  for (const resource of resources) {
    const part = `${resource.kind} ${resource.name}`;
    if ((await findResource(site.run, resource)) === null) {
      findings.push({ part, mend: `npx wrangler ${createCommand(resource).join(' ')}` });
    } else {
      findings.push({ part, mend: isConfigured(resource) ? null : 'npm run deploy: it writes the id' });
    }
  }
  for (const { name } of resources.filter((one) => one.kind === 'database')) {
    findings.push(await migrations(site.run, name));
  }
  for (const shard of unsearchable) {
    const search = shard.replace('SHARD', 'SEARCH');
    findings.push({
      part: `search of ${shard}`,
      mend: `bind ${search} in wrangler.toml, then npm run deploy`,
    });
  }
  findings.push({ part: 'cron in wrangler.toml', mend: crons.length > 0 ? null : 'set [triggers] crons' });
  findings.push({
    part: 'logs without URLs in wrangler.toml',
    mend: logsWithoutUrls
      ? null
      : 'set [observability] redact_query_string = true, and [observability.logs] invocation_logs = false',
  });
  findings.push({
    part: 'public requests in wrangler.toml',
    mend: fetchesPublicly ? null : 'add "global_fetch_strictly_public" to compatibility_flags',
  });
  findings.push(...(await secrets(site.run)));
  return site.url === null ? findings : [...findings, ...(await responses(site, site.url))];
}

async function migrations(run: Wrangler, name: string): Promise<Finding> {
  const { ok, output } = await run('d1', 'migrations', 'list', name, '--remote');
  const applied = ok && /no migrations to apply/i.test(output);
  const mend = `npx wrangler d1 migrations apply ${name} --remote`;
  return { part: `migrations of ${name}`, mend: applied ? null : mend };
}

async function secrets(run: Wrangler): Promise<Finding[]> {
  const present = await secretNames(run);
  const missing = missingSecrets(present);
  const local = LOCAL_ONLY.filter((name) => present.includes(name));
  return [
    ...REQUIRED_SECRETS.map((name) => ({
      part: `secret ${name}`,
      mend: missing.includes(name) ? `npx wrangler secret put ${name}` : null,
    })),
    ...local.map((name) => ({ part: `secret ${name}`, mend: `npx wrangler secret delete ${name}` })),
  ];
}

/** What `/readyz` responds. */
interface Readiness {
  readonly checks?: Readonly<Record<string, string>>;
  readonly last_cron_at?: string | null;
}

/** Looks at `/readyz`. A Worker that can't be reached, or that responds with something else, is one finding. */
async function responses({ fetch }: Examined, url: string): Promise<Finding[]> {
  const path = `${url.replace(/\/$/, '')}/readyz`;
  try {
    const response = await fetch(path, { signal: AbortSignal.timeout(15_000) });
    // The Worker's own response; whatever else responds has none of these fields.
    const { checks, last_cron_at } = (await response.json()) as Readiness;
    if (!checks) return [{ part: path, mend: `it responded ${response.status}: look at npx wrangler tail` }];
    const late = Date.now() - Date.parse(last_cron_at ?? '1970-01-01') > CRON_MAX_AGE_MS;
    return [
      ...Object.entries(checks).map(([part, state]) => ({
        part: `${part} of the Worker`,
        mend: state === 'ok' ? null : 'look at npx wrangler tail',
      })),
      {
        part: 'cron of the Worker',
        mend: late ? 'it has not run for ten minutes: npm run deploy sets it' : null,
      },
    ];
  } catch {
    return [{ part: path, mend: 'no response: is the Worker deployed at this URL?' }];
  }
}
