/** `npm run import-tenant`: restores a tenant's export into another deployment. */
import { parseArgs } from 'node:util';
import { readArguments } from '../command-line.ts';
import { folderOf, PLACE_OPTIONS, placeOf, runMain } from './arguments.ts';
import { importTenant } from './tenant.ts';

const USAGE = `npm run import-tenant -- --tenant SLUG --url URL --token TOKEN --from FOLDER [--other-keys]

  --tenant SLUG  the tenant, which must not exist there, or be suspended
  --url URL      the deployment's base URL, such as http://127.0.0.1:8787
  --token TOKEN  the super-admin's token; without it, SUPER_ADMIN_TOKEN of the environment
  --from FOLDER  the folder that npm run export has written
  --other-keys   go on although the deployment has other master keys: secrets and passwords have to be set again

The tenant stays suspended: compare a second export with the first, then activate it. Exits with 0 when all was
written, else with 1; it can then be repeated.`;

await runMain(async () => {
  const { values } = readArguments(USAGE, () =>
    parseArgs({
      options: {
        ...PLACE_OPTIONS,
        from: { type: 'string' },
        'other-keys': { type: 'boolean', default: false },
      },
    }),
  );
  const [place, folder] = [placeOf(values), folderOf('--from', values.from)];
  const { records, images } = await importTenant(place, folder, values['other-keys']);
  console.log(`Imported ${records} records and ${images} images of ${place.slug}, which is suspended.`);
});
