/** `npm run export`: writes all that a deployment stores for a tenant to a folder. */

import { parsePlace, runMain } from './arguments.ts';
import { exportTenant } from './tenant.ts';

const USAGE = `npm run export -- --tenant SLUG --url URL --token TOKEN --to FOLDER

  --tenant SLUG  the tenant
  --url URL      the deployment's base URL, such as http://127.0.0.1:8787
  --token TOKEN  the super-admin's token; without it, SUPER_ADMIN_TOKEN of the environment
  --to FOLDER    where records.jsonl and media/ are written

Suspend the tenant first for a copy at one moment. Exits with 0 when all was written, else with 1.`;

await runMain(async () => {
  const { place, folder } = parsePlace(USAGE, 'to');
  const { records, images } = await exportTenant(place, folder);
  console.log(`Exported ${records} records and ${images} images of ${place.slug} to ${folder}.`);
});
