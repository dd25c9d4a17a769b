/** `npm run export`: writes all that a deployment stores for a tenant to a folder. */
import { parseArgs } from 'node:util';
import { readArguments } from '../command-line.ts';
import { folderOf, PLACE_OPTIONS, placeOf, runMain } from './arguments.ts';
import { exportTenant } from './export-tenant.ts';

const USAGE = `npm run export -- --tenant SLUG --url URL --token TOKEN --to FOLDER

  --tenant SLUG  the tenant
  --url URL      the deployment's base URL, such as http://127.0.0.1:8787
  --token TOKEN  the super-admin's token; without it, SUPER_ADMIN_TOKEN of the environment
  --to FOLDER    where records.jsonl and media/ are written

Suspend the tenant first for a copy at one moment: it is then read until two reads agree. Exits with 0 when all was
written, else with 1 and without a new records.jsonl; it can then be repeated.`;

await runMain(async () => {
  const { values } = readArguments(USAGE, () =>
    parseArgs({ options: { ...PLACE_OPTIONS, to: { type: 'string' } } }),
  );
  const [place, folder] = [placeOf(values), folderOf('--to', values.to)];
  const { records, images } = await exportTenant(place, folder);
  console.log(`Exported ${records} records and ${images} images of ${place.slug} to ${folder}.`);
});
