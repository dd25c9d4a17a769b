/** Tests what the pages of the documentation lead to: commands, tests and pages that are there. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';
import { EVENT_TYPES } from '../src/events/tables.ts';
import { ERRORS } from '../src/kernel/core/errors.ts';
import { DETAILS } from '../src/kernel/openapi/problem-schema.ts';
import { PLANS, QUOTAS } from '../src/tenants/plans.ts';

const root = join(import.meta.dirname, '..');
const pages = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...globSync('docs/**/*.md', { cwd: root })];
const text = (page: string): string => readFileSync(join(root, page), 'utf8');

/** Returns the first group of each match on a page, with the page: `docs/selling.md: test/cart`. */
const named = (pattern: RegExp) =>
  pages.flatMap((page) =>
    [...text(page).matchAll(pattern)].map(([, name = '']) => ({ page, name: name.trim() })),
  );

test('every test that a page names is there', () => {
  const found = named(/npx vitest run ((?:test\/[\w./-]+ ?)+)/g).flatMap(({ page, name }) =>
    name.split(' ').map((path) => ({ page, path })),
  );
  ok(found.length > 40, `only ${found.length} tests`);
  deepEqual(
    found.filter(({ path }) => !existsSync(join(root, path))),
    [],
  );
});

test('every script that a page runs is there', () => {
  const { scripts } = JSON.parse(text('package.json'));
  const found = named(/npm run (?:-s )?([\w:-]+)/g);
  ok(found.length > 30, `only ${found.length} scripts`);
  deepEqual(
    found.filter(({ name }) => !(name in scripts)),
    [],
  );
});

test('no page runs TypeScript with the Node of the machine, which may be 20: npm runs that of the project', () => {
  deepEqual(named(/`(node [^`]*scripts\/[^`]*\.ts)/g), []);
});

test('every page and picture that a page links to is there', () => {
  const found = named(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g);
  ok(found.length > 60, `only ${found.length} links`);
  deepEqual(
    found.filter(({ page, name }) => !existsSync(join(root, dirname(page), name))),
    [],
  );
});

test('every section that a page links to is there', () => {
  const sections = (page: string) =>
    [...text(page).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replace(/[^\p{L}\p{N} -]/gu, '')
        .replaceAll(' ', '-'),
    );
  const found = named(/\]\((?!https?:)([^)\s]*#[^)\s]+)\)/g);
  ok(found.length > 20, `only ${found.length} links`);
  deepEqual(
    found.filter(({ page, name }) => {
      const [file = '', section = ''] = name.split('#');
      return !sections(file ? join(dirname(page), file) : page).includes(section);
    }),
    [],
  );
});

test('every call of the API that a page names is a row of the page of budgets, which a test compares', () => {
  const shape = (call: string): string => call.replace(/\{\w+\}|\b\w+_…/g, '{}');
  const calls = /`((?:GET|POST|PUT|PATCH|DELETE) \/(?:admin\/)?v1\/[^`?\s]*)/g;
  const known = [...text('docs/budgets.md').matchAll(/^\| `([^`]+)`/gm)].map(([, call = '']) => shape(call));
  const found = named(calls);
  ok(found.length > 200, `only ${found.length} calls`);
  deepEqual(
    found.filter(({ name }) => !known.includes(shape(name))),
    [],
  );
});

test('the page of the configuration names every binding of wrangler.toml', () => {
  const page = text('docs/configuration.md');
  const bindings = [...text('wrangler.toml').matchAll(/^(?:binding|name) = "([A-Z_0-9]+)"/gm)].map(
    ([, name = '']) => name,
  );
  ok(bindings.length > 15, `only ${bindings.length} bindings`);
  deepEqual(
    bindings.filter((name) => !page.includes(`\`${name}\``)),
    [],
  );
});

test('the page of the configuration has the limits of every plan', () => {
  const figure = (cell: string): number => {
    const [number = '', unit] = cell.trim().split(' ');
    return Number(number.replaceAll(',', '')) * (unit === 'GiB' ? 1024 ** 3 : 1);
  };
  const rows = [...text('docs/configuration.md').matchAll(/^\| [^|]*\(`(\w+)`\) *\|(.+)\|$/gm)].map(
    ([, name = '', cells = '']) => [name, cells.split('|').map(figure)] as const,
  );
  const { starter, growth, enterprise } = PLANS;
  const plans = [starter, growth, enterprise];
  deepEqual(Object.fromEntries(rows), {
    rate_limit_per_minute: plans.map(({ requestsPerMinute }) => requestsPerMinute),
    ...Object.fromEntries(QUOTAS.map((quota) => [quota, plans.map(({ quotas }) => quotas[quota])])),
  });
});

test('the page of errors has every code with its status', () => {
  const rows = text('docs/errors.md').matchAll(/^\| `(\w+)` +\| (\d+)/gm);
  deepEqual(
    Object.fromEntries([...rows].map(([, code, status]) => [code, Number(status)])),
    Object.fromEntries(Object.entries(ERRORS).map(([code, [status]]) => [code, status])),
  );
});

test('the page of errors has the details of every code, as the OpenAPI document has them', () => {
  const rows = text('docs/errors.md').matchAll(/^\| `(\w+)` +\| \d+ +\| ([^|]*\w[^|]*)\|/gm);
  const fields = (cell = '') => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name).sort();
  deepEqual(
    Object.fromEntries([...rows].map(([, code = '', cell]) => [code, fields(cell)])),
    Object.fromEntries(Object.entries(DETAILS).map(([code, { shape }]) => [code, Object.keys(shape).sort()])),
  );
});

test('the page of the architecture names every folder of the kernel', () => {
  const page = text('docs/architecture.md');
  const folders = globSync('src/kernel/*/', { cwd: root }).map((path) => basename(path));
  ok(folders.length > 8, `only ${folders.length} folders`);
  deepEqual(
    folders.filter((name) => !page.includes(`\`${name}\``)),
    [],
  );
});

test('every component that the page of the design names is there', () => {
  const code = globSync('src/{web,panel}/**/*.{ts,tsx}', { cwd: root }).map(text).join('\n');
  const found = [...text('docs/design.md').matchAll(/`<?([A-Z]\w+)[` ]/g)].map(([, name = '']) => name);
  ok(found.length > 20, `only ${found.length} components`);
  deepEqual(
    found.filter((name) => !new RegExp(`export (?:const|function|interface) ${name}\\b`).test(code)),
    [],
  );
});

test('every token that the page of the design names is in the stylesheets of the panels', () => {
  const css = ['scale', 'tokens'].map((name) => text(`scripts/panel/css/${name}.css`)).join('\n');
  const found = [...text('docs/design.md').matchAll(/`(--[\w-]+)`/g)].map(([, name = '']) => name);
  ok(found.length > 20, `only ${found.length} tokens`);
  deepEqual(
    found.filter((name) => !css.includes(`${name}:`)),
    [],
  );
});

test('the first page and the guide that leads on from it have the same ten lines', () => {
  const [lines, others] = ['README.md', 'docs/getting-started.md'].map(
    (page) => text(page).match(/^BASE=.*?```/ms)?.[0],
  );
  ok(lines);
  equal(others, lines);
});

test('the page of webhooks names every type of event', () => {
  const page = text('docs/webhooks.md');
  deepEqual(
    EVENT_TYPES.filter((type) => !page.includes(type)),
    [],
  );
});

test('every guide for those who use or run the service names the tests that check it', () => {
  const guides = ['agents', 'catalogue', 'customers', 'feeds', 'importing', 'media', 'operating', 'people'];
  const others = ['selling', 'storage', 'threat-model', 'webhooks'];
  const without = [...guides, ...others].filter(
    (name) => !text(`docs/${name}.md`).includes('npx vitest run'),
  );
  deepEqual(without, []);
});

test('what is not released yet fits into 40 kB of the changelog, so that people read it', () => {
  const [, part = ''] = text('CHANGELOG.md').split(/^## .+$/m);
  ok(part.length > 0, 'no section Unreleased');
  ok(Buffer.byteLength(part) <= 40_000, `${Buffer.byteLength(part)} bytes: merge lines of one subject`);
});
