import { resolve } from 'node:path';
import { bearerToken, reasonOf, required, webUrl } from '../command-line.ts';
import type { Place } from './tenant.ts';

/** The options of an export and of an import, for `parseArgs`. */
export const PLACE_OPTIONS = {
  tenant: { type: 'string' },
  url: { type: 'string' },
  token: { type: 'string', default: process.env.SUPER_ADMIN_TOKEN ?? '' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** What {@link PLACE_OPTIONS} gave. */
interface PlaceValues {
  readonly tenant?: string | undefined;
  readonly url?: string | undefined;
  readonly token: string;
}

/** Returns the deployment and the tenant; refuses what is missing. */
export const placeOf = ({ tenant, url, token }: PlaceValues): Place => ({
  slug: required('--tenant', tenant),
  base: webUrl('--url', required('--url', url)),
  token: bearerToken(token),
});

/** Returns the folder of an option; npm runs scripts in the project root, and paths are relative to the caller's. */
export const folderOf = (option: string, path: string | undefined): string =>
  resolve(process.env.INIT_CWD ?? '.', required(option, path));

/** Runs a program; prints the reason of a failure and exits with 1. */
export async function runMain(main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    console.error(reasonOf(error));
    process.exitCode = 1;
  }
}
