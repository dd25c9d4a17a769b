/** `npm run doctor`: says what a deployment lacks, and the command that mends it. See docs/deploying.md. */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readArguments, webUrl } from '../command-line.ts';
import { examine } from './checks.ts';
import { wrangler } from './wrangler.ts';

const USAGE = `npm run doctor [-- --url https://storefront-edge.example.workers.dev]

  --url URL  look at the deployed Worker's /readyz too
Exits with 1 if something is missing.`;

async function main(): Promise<void> {
  const { values } = readArguments(USAGE, () =>
    parseArgs({ options: { url: { type: 'string' }, help: { type: 'boolean', short: 'h' } } }),
  );
  const url = values.url === undefined ? null : webUrl('--url', values.url);
  const findings = await examine({
    run: wrangler,
    fetch,
    config: join(import.meta.dirname, '../../wrangler.toml'),
    url,
  });
  for (const { part, mend } of findings)
    console.log(mend === null ? `ok       ${part}` : `missing  ${part}\n         → ${mend}`);
  const missing = findings.filter(({ mend }) => mend !== null).length;
  console.log(missing === 0 ? 'Nothing is missing.' : `${missing} of ${findings.length} are missing.`);
  if (missing > 0) process.exitCode = 1;
}

await main().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
