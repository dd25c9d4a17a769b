/**
 * Runs before each test file. The files of one runtime share storage, modules and clock, so each test makes a
 * tenant of its own, and what a file changes of the runtime is undone after it: mocks by Vitest itself.
 */
import fc from 'fast-check';
import { afterAll, afterEach, beforeEach, expect, inject, vi } from 'vitest';
import { flushEvery } from '../../../src/access/request-log/recorder.ts';
import { resetClock } from '../../../src/kernel/core/clock.ts';
import { replaceFetch } from './internet.ts';
import { scanLog, secretsInLog } from './log-scan.ts';
import './main-module.ts';
import '../storage/migrations.ts';
import { beginTest, endTest } from './own-tenants.ts';
import { cheapPasswordHashes } from './password-hashes.ts';
import { takeExceeded, watchLimits } from './platform-limits.ts';
import { TEST_FLUSH_INTERVAL_MS } from './request-log.ts';

fc.configureGlobal({ seed: inject('seed') });
replaceFetch();
cheapPasswordHashes();
// A test that waits for what runs beside a response should not wait a second for the request log.
flushEvery(TEST_FLUSH_INTERVAL_MS);
scanLog();
watchLimits();

beforeEach(beginTest);
afterEach(endTest);

afterAll(() => {
  expect(takeExceeded(), 'what the platform refuses').toEqual([]);
  expect(secretsInLog(), 'lines of the log with a secret or an e-mail address').toEqual([]);
  resetClock();
  vi.useRealTimers();
});
