import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Place } from './tenant.ts';

/** The arguments of an export or an import. */
interface Arguments {
  readonly place: Place;
  readonly folder: string;
  readonly otherKeys: boolean;
}

/** Returns the arguments; prints `usage` and ends the process if one is missing. `option` names the folder. */
export function parsePlace(usage: string, option: 'from' | 'to'): Arguments {
  const { values } = parseArgs({
    options: {
      tenant: { type: 'string' },
      url: { type: 'string' },
      token: { type: 'string', default: process.env.SUPER_ADMIN_TOKEN ?? '' },
      [option]: { type: 'string' },
      'other-keys': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h' },
    },
  });
  const { tenant, url, token, [option]: folder } = values;
  if (values.help || !tenant || !url || !token || typeof folder !== 'string') {
    console.log(usage);
    return process.exit(values.help ? 0 : 1);
  }
  return {
    place: { slug: String(tenant), base: String(url).replace(/\/+$/, ''), token: String(token) },
    // npm runs scripts in the project root; paths are relative to the caller's directory.
    folder: resolve(process.env.INIT_CWD ?? '.', folder),
    otherKeys: values['other-keys'] === true,
  };
}

/** Runs a program; prints the reason of a failure and exits with 1. */
export async function runMain(main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    // fetch's message is "fetch failed"; the reason is in the cause.
    const { message, cause } = error as Error;
    console.error(cause instanceof Error ? `${message}: ${cause.message}` : message);
    process.exitCode = 1;
  }
}
