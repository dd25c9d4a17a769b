// Prints "<passed> <failed>" of the tests whose output .ci/run kept in a folder: Node's own tests from the
// log, vitest's from its JSON report. Runs on the machine's own Node, before anything is installed.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder] = process.argv.slice(2);
const log = readFileSync(join(folder, 'log'), 'utf8');
const sum = (pattern) => [...log.matchAll(pattern)].reduce((total, [, count]) => total + Number(count), 0);

let passed = sum(/^ℹ pass (\d+)$/gm);
let failed = sum(/^ℹ fail (\d+)$/gm);
const report = join(folder, 'vitest.json');
if (existsSync(report)) {
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(report, 'utf8'));
  const broken = testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0);
  passed += numPassedTests;
  failed += numFailedTests + broken.length;
}
console.log(`${passed} ${failed}`);
