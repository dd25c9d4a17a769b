import { isPlaceholder, type Resource } from './config.ts';
import { demand, jsonList, type Wrangler } from './wrangler.ts';

/** The commands for one kind of resource. */
interface Commands {
  readonly create: readonly string[];
  /** Returns the id under which the account has it (its name, where the kind has no ids), or `null`. */
  readonly find: (run: Wrangler, resource: Resource) => Promise<string | null>;
}

/** Returns the arguments that name a resource. */
const nameOf = ({ name, jurisdiction }: Resource): readonly string[] =>
  jurisdiction ? [name, '--jurisdiction', jurisdiction] : [name];

/** Finds a resource in a list that wrangler prints as JSON. */
const inList =
  (list: readonly string[], keys: { readonly name: string; readonly id: string }): Commands['find'] =>
  async (run, { name }) => {
    const found = jsonList(await demand(run, ...list)).find((one) => one[keys.name] === name);
    return found ? String(found[keys.id]) : null;
  };

/** Finds a resource whose kind wrangler lists for people only: by whether it can be described. */
const byInfo =
  (...command: readonly string[]): Commands['find'] =>
  async (run, resource) => {
    const asked = [...command, ...nameOf(resource)];
    const described = await run(...asked);
    // The API says so of buckets (code 10006), wrangler itself of queues. Any other failure is none of the resource.
    if (!described.ok && described.output.includes('does not exist')) return null;
    await demand(async () => described, ...asked);
    return resource.name;
  };

const COMMANDS: Readonly<Record<Resource['kind'], Commands>> = {
  database: {
    create: ['d1', 'create'],
    find: inList(['d1', 'list', '--json'], { name: 'name', id: 'uuid' }),
  },
  namespace: {
    create: ['kv', 'namespace', 'create'],
    find: inList(['kv', 'namespace', 'list'], { name: 'title', id: 'id' }),
  },
  bucket: {
    create: ['r2', 'bucket', 'create'],
    find: byInfo('r2', 'bucket', 'info'),
  },
  queue: { create: ['queues', 'create'], find: byInfo('queues', 'info') },
};

/** Returns the arguments of the wrangler command that creates a resource. */
export const createCommand = (resource: Resource): readonly string[] => [
  ...COMMANDS[resource.kind].create,
  ...nameOf(resource),
];

/** Returns the id of a resource in the account, or its name if its kind has no ids; `null` if it isn't there. */
export const findResource = (run: Wrangler, resource: Resource): Promise<string | null> =>
  COMMANDS[resource.kind].find(run, resource);

/** Returns whether wrangler.toml names the resource: buckets and queues are named, others have an id. */
export const isConfigured = ({ id }: Resource): boolean => !isPlaceholder(id);
