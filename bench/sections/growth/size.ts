import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { bundle, SERVICE } from '../../../scripts/build/bundle.ts';
import { cpuSeconds, workerds } from '../../process.ts';
import { type Finding, median } from '../../report.ts';

const STARTS = 11;
const MAX_KIB = 400;
const MAX_START_MS = 100;

/** The size of what is deployed, compressed as the platform counts it, and the CPU time of its start. */
export async function size(): Promise<Finding[]> {
  const contents = readFileSync(await bundle(SERVICE, 'worker'));
  const kib = gzipSync(contents).length / 1024;
  const starts: number[] = [];
  while (starts.length < STARTS) starts.push(await startOf(contents.toString()));
  const start = median(starts);
  console.log(`\nBundle: ${(contents.length / 1024).toFixed(0)} KiB, gzipped ${kib.toFixed(0)} KiB`);
  console.log(`Start-up, ms of CPU time: ${starts.map((ms) => ms.toFixed(0)).join(', ')}`);
  return [
    {
      measure: 'bundle, gzipped',
      reach: `≤ ${MAX_KIB} KiB`,
      figure: `${kib.toFixed(0)} KiB`,
      reached: kib <= MAX_KIB,
    },
    {
      measure: `start-up, CPU time, p50 of ${STARTS}`,
      reach: `≤ ${MAX_START_MS} ms`,
      figure: `${start.toFixed(0)} ms`,
      reached: start <= MAX_START_MS,
    },
  ];
}

/** Imports the bundle when it is asked to. */
const STARTER = `export default {
  async fetch(request) {
    if (request.url.endsWith('/start')) await import('./index.js');
    return new Response('done');
  },
};`;

/** Returns the CPU time (ms) in which a new isolate compiles the bundle and runs its top level. */
async function startOf(contents: string): Promise<number> {
  const before = workerds();
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      host: '127.0.0.1',
      port: 0,
      cf: false,
      telemetry: { enabled: false },
      modules: [
        { type: 'ESModule', path: 'starter.js', contents: STARTER },
        { type: 'ESModule', path: 'index.js', contents },
      ],
      compatibilityDate: '2026-10-01',
      compatibilityFlags: ['nodejs_compat'],
    }),
  );
  try {
    const url = await miniflare.ready;
    const pid = workerds().find((one) => !before.includes(one)) ?? Number.NaN;
    const ask = async (path: string) => (await fetch(new URL(path, url))).text();
    // The first request of all pays for the connection and Miniflare's own Worker.
    await ask('/');
    const begun = cpuSeconds(pid);
    await ask('/start');
    return (cpuSeconds(pid) - begun) * 1000;
  } finally {
    await miniflare.dispose();
  }
}
