import { readFileSync, writeFileSync } from 'node:fs';
import { unstable_readConfig } from 'wrangler';
import { z } from 'zod';

/** A store or queue that wrangler.toml names, and that has to exist in the account. */
export interface Resource {
  readonly kind: 'database' | 'namespace' | 'bucket' | 'queue';
  /** Its name in the account; for a KV namespace its title. */
  readonly name: string;
  /** Its id in wrangler.toml; buckets and queues have none. */
  readonly id: string | null;
  /** The jurisdiction that wrangler.toml puts a bucket in: buckets of each have names of their own. */
  readonly jurisdiction?: string | undefined;
}

/** A deployment as wrangler.toml describes it. */
export interface Deployment {
  readonly file: string;
  readonly resources: readonly Resource[];
  readonly crons: readonly string[];
  /** Whether the platform's logs leave out URLs: its lines of invocations, and the queries in all others. */
  readonly logsWithoutUrls: boolean;
  /** Whether requests go through the front door of their hosts' zones, those to the Worker's own zone and account too. */
  readonly fetchesPublicly: boolean;
  /** The shards of tenants that have no search database, by the names of their bindings. */
  readonly unsearchable: readonly string[];
}

/** Returns whether an id of wrangler.toml is one of the zeros that the repository ships. */
export const isPlaceholder = (id: string | null): boolean => id !== null && /^[0-]+\d{1,3}$/.test(id);

/** The part of wrangler's configuration that a deployment needs. */
const Config = z.object({
  name: z.string(),
  compatibility_flags: z.array(z.string()).default([]),
  d1_databases: z.array(
    z.object({ binding: z.string(), database_name: z.string(), database_id: z.string() }),
  ),
  kv_namespaces: z.array(z.object({ binding: z.string(), id: z.string() })),
  r2_buckets: z.array(z.object({ bucket_name: z.string(), jurisdiction: z.string().optional() })),
  queues: z.object({
    producers: z.array(z.object({ queue: z.string() })),
    consumers: z.array(z.object({ queue: z.string(), dead_letter_queue: z.string().optional() })),
  }),
  triggers: z.object({ crons: z.array(z.string()).default([]) }),
  observability: z
    .object({
      redact_query_string: z.boolean().default(false),
      logs: z.object({ invocation_logs: z.boolean().default(true) }).prefault({}),
    })
    .prefault({}),
});

/** Reads wrangler.toml. Throws if a database, namespace, bucket or queue has no name there, and says which. */
export function readDeployment(file: string): Deployment {
  const { data: config, error } = Config.safeParse(unstable_readConfig({ config: file }));
  if (error) throw new Error(`wrangler.toml can't be used.\n${z.prettifyError(error)}`);
  const queues = [
    ...config.queues.producers.map((one) => one.queue),
    ...config.queues.consumers.flatMap((one) => [one.queue, one.dead_letter_queue ?? one.queue]),
  ];
  return {
    file,
    crons: config.triggers.crons,
    logsWithoutUrls: config.observability.redact_query_string && !config.observability.logs.invocation_logs,
    fetchesPublicly: config.compatibility_flags.includes('global_fetch_strictly_public'),
    unsearchable: unsearchable(config.d1_databases.map(({ binding }) => binding)),
    resources: [
      ...config.d1_databases.map(
        (one): Resource => ({ kind: 'database', name: one.database_name, id: one.database_id }),
      ),
      ...config.kv_namespaces.map(
        (one): Resource => ({
          kind: 'namespace',
          name: `${config.name}-${one.binding.toLowerCase()}`,
          id: one.id,
        }),
      ),
      ...config.r2_buckets.map(
        ({ bucket_name, jurisdiction }): Resource => ({
          kind: 'bucket',
          name: bucket_name,
          id: null,
          jurisdiction,
        }),
      ),
      ...[...new Set(queues)].map((name): Resource => ({ kind: 'queue', name, id: null })),
    ],
  };
}

/** Returns the shards without a search database; `SHARD_01` is in `DB` unless it is bound. */
const unsearchable = (bindings: readonly string[]): string[] =>
  ['SHARD_01', ...bindings.filter((name) => /^SHARD_\d\d$/.test(name))].filter(
    (name, at, all) => all.indexOf(name) === at && !bindings.includes(name.replace('SHARD', 'SEARCH')),
  );

/** Replaces a placeholder in wrangler.toml by the id of the resource that was created; ids of local data stay. */
export function writeId(file: string, placeholder: string, id: string): void {
  const text = readFileSync(file, 'utf8');
  const line = new RegExp(`(?<!\\w)((?:database_)?id\\s*=\\s*)"${placeholder}"`);
  writeFileSync(file, text.replace(line, `$1"${id}"`));
}
