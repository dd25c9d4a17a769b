import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isPlaceholder, type Resource, readDeployment, writeId } from './config.ts';
import { createCommand, findResource } from './resources.ts';
import { keepSecrets, missingSecrets, REQUIRED_SECRETS, secretNames } from './secrets.ts';
import { demand, type Wrangler } from './wrangler.ts';

/** Where a deployment runs, and what it uses. */
export interface Site {
  readonly run: Wrangler;
  readonly say: (line: string) => void;
  /** wrangler.toml, whose placeholders are replaced by the ids of what is created. */
  readonly config: string;
  /** The example of the secrets, which says how each is made. */
  readonly example: string;
  /** Where new secrets are kept for the operator (mode 0600); they can't be read back from Cloudflare. */
  readonly secrets: string;
}

const APPLY = ['d1', 'migrations', 'apply'] as const;
const DEPLOY = ['deploy', '--minify'] as const;

/** How an operator or a terminal ends a deployment. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Returns every command that a first deployment runs, as text, without running any. */
export function plan(config: string): string[] {
  const { resources } = readDeployment(config);
  const databases = resources.filter((one) => one.kind === 'database');
  return [
    ...resources.map((one) => `npx wrangler ${createCommand(one).join(' ')}   # unless it exists`),
    ...databases.map((one) => `npx wrangler ${[...APPLY, one.name, '--remote'].join(' ')}`),
    `npx wrangler ${DEPLOY.join(' ')} --secrets-file FILE   # with new values of ${REQUIRED_SECRETS.join(', ')}, if not set`,
    'GET /readyz   # until it responds 200',
  ];
}

/** Creates a resource unless the account has it, and writes its id into wrangler.toml. */
async function provide(site: Site, resource: Resource): Promise<void> {
  const { kind, name, id } = resource;
  if (id !== null && !isPlaceholder(id)) return site.say(`The ${kind} ${name} is configured.`);
  let found = await findResource(site.run, resource);
  if (found === null) {
    await demand(site.run, ...createCommand(resource));
    found = await findResource(site.run, resource);
    if (found === null) throw new Error(`The ${kind} ${name} was created, but is not listed.`);
    site.say(`Created the ${kind} ${name}.`);
  } else {
    site.say(`The ${kind} ${name} exists.`);
  }
  if (id !== null) writeId(site.config, id, found);
}

/**
 * Deploys the service: creates what is missing, applies the migrations, then uploads the Worker with the secrets
 * that are not set yet. Safe to repeat after any failure: what exists is kept, and no secret is replaced.
 * Returns the Worker's URL, or `null` if wrangler printed none. Throws an error with wrangler's output.
 */
export async function deploy(site: Site): Promise<string | null> {
  const { resources } = readDeployment(site.config);
  for (const resource of resources) await provide(site, resource);
  for (const { name } of resources.filter((one) => one.kind === 'database')) {
    await demand(site.run, ...APPLY, name, '--remote');
    site.say(`Applied the migrations of ${name}.`);
  }
  const missing = missingSecrets(await secretNames(site.run));
  const output = await upload(site, missing);
  if (missing.length > 0) {
    site.say(
      `Set ${missing.join(' and ')}: store the values in ${site.secrets} safely, they can't be read back.`,
    );
  }
  return /https:\/\/\S+\.workers\.dev/.exec(output)?.[0] ?? null;
}

/** Uploads the Worker with these new secrets. Returns wrangler's output. */
async function upload(site: Site, missing: readonly string[]): Promise<string> {
  if (missing.length === 0) return demand(site.run, ...DEPLOY);
  const folder = mkdtempSync(join(tmpdir(), 'deploy-'));
  const file = join(folder, 'secrets');
  const remove = () => rmSync(folder, { recursive: true, force: true });
  // Ctrl-C ends the process without `finally`.
  const interrupted = () => {
    remove();
    process.exit(130);
  };
  for (const signal of SIGNALS) process.on(signal, interrupted);
  try {
    writeFileSync(file, keepSecrets(site.secrets, missing, site.example), { mode: 0o600 });
    return await demand(site.run, ...DEPLOY, '--secrets-file', file);
  } finally {
    remove();
    for (const signal of SIGNALS) process.off(signal, interrupted);
  }
}
