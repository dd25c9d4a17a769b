import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Returns the official JSON schemas of the Universal Commerce Protocol in a folder, the `source` folder of the
 * published specification, as texts; none without a folder.
 */
export function ucpSchemas(folder: string | undefined): string[] {
  if (!folder) return [];
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const schemas = files.filter((file) => /^(?:schemas|discovery)\/.*\.json$/.test(file));
  if (schemas.length === 0) throw new Error(`UCP_SCHEMAS: there are no schemas in ${folder}`);
  return schemas.map((file) => readFileSync(join(folder, file), 'utf8'));
}
