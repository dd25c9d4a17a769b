/** What wrangler.toml puts in place of drizzle's `entity.js` says the same of all that a statement is made of. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Column, entityKind, is, Param, Placeholder, SQL, sql, Table, View } from 'drizzle-orm';
import { integer, SQLiteColumn, SQLiteTable, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import * as own from './drizzle-entity.ts';

const table = sqliteTable('products', { id: integer().primaryKey(), name: text() });
const CLASSES = [Column, Param, Placeholder, SQL, SQL.Aliased, SQLiteColumn, SQLiteTable, Table, View];
const VALUES = {
  table,
  column: table.name,
  statement: sql`SELECT ${table.id}`,
  chunk: sql`SELECT`.queryChunks[0],
  aliased: sql`1`.as('one'),
  parameter: sql.param(1, table.id),
  placeholder: sql.placeholder('one'),
  object: {},
  list: [],
  text: 'one',
  number: 1,
  null: null,
  undefined,
};

for (const [name, value] of Object.entries(VALUES))
  test(`decides for ${name} as drizzle does`, () => {
    const asked = CLASSES.map((one) => [one.name, is(value, one)]);
    assert.deepEqual(
      CLASSES.map((one) => [one.name, own.is(value, one)]),
      asked,
    );
  });

test('has every symbol and function of the original', async () => {
  const original = await import('drizzle-orm/entity');
  assert.deepEqual(Object.keys(own).sort(), Object.keys(original).sort());
  assert.equal(own.entityKind, entityKind);
  assert.equal(own.hasOwnEntityKind, original.hasOwnEntityKind);
});
