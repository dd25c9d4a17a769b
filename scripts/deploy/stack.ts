/**
 * `npm run stack < FILE`: prints a stack of the log with the places of our files in place of the bundle's. Run it at
 * the commit that was deployed.
 */
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { bundle, SERVICE } from '../build/bundle.ts';
import { readArguments } from '../command-line.ts';

const USAGE = `npm run stack < FILE

Prints a stack of the log with the places of our files in place of the bundle's. Run it at the commit that was deployed.`;

readArguments(USAGE, () => parseArgs({ options: { help: { type: 'boolean', short: 'h' } } }));

const path = await bundle(SERVICE, 'worker');
const map = new SourceMap(JSON.parse(readFileSync(`${path}.map`, 'utf8')));

/** Returns the source's place, both numbers counted from 1; the bundle's own where the map has none. */
function placeOf(line: number, column: number): string {
  const origin = map.findEntry(line - 1, column - 1);
  if (!('originalSource' in origin)) return `index.js:${line}:${column}`;
  const file = origin.originalSource.replace(/^(\.\.\/)+/, '');
  return `${file}:${origin.originalLine + 1}:${origin.originalColumn + 1}`;
}

// A line of the log has a list of frames; a stack of another tool has line breaks, escaped in JSON.
const stack = (await text(process.stdin)).replaceAll('","    at ', '\n    at ').replaceAll('\\n', '\n');
process.stdout.write(
  stack.replace(/\b(?:worker|index)\.js:(\d+):(\d+)/g, (_, line, column) => placeOf(+line, +column)),
);
