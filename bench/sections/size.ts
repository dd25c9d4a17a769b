import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { bundle, SERVICE } from '../../scripts/bundle.ts';
import type { Finding } from '../report.ts';

/** The size of what is deployed, compressed as the platform counts it. */
export async function size(): Promise<Finding[]> {
  const bytes = readFileSync(await bundle(SERVICE, 'worker'));
  const kib = gzipSync(bytes).length / 1024;
  console.log(`\nBundle: ${(bytes.length / 1024).toFixed(0)} KiB, gzipped ${kib.toFixed(0)} KiB`);
  return [
    { measure: 'bundle, gzipped', reach: '≤ 400 KiB', figure: `${kib.toFixed(0)} KiB`, reached: kib <= 400 },
  ];
}
