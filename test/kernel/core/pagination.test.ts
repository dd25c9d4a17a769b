/** What whole numbers in a query and a path are refused with. */
import { z } from '@hono/zod-openapi';
import { expect, it } from 'vitest';
import { idParam, limitUpTo, listPages } from '../../../src/kernel/core/pagination.ts';
import { fieldErrors } from '../../../src/kernel/http/problem.ts';

const schema = z.object({
  id: idParam.default(1),
  limit: limitUpTo(100, 20),
  page: listPages('test', z.int()).query.page,
});

it.each([
  ['id', '-1', 'must be at least 1'],
  ['id', '9007199254740992', 'must be at most 9007199254740991'],
  ['page', '-1', 'must be at least 1'],
  ['page', '-0', 'must be at least 1'],
  ['page', '9007199254740992', 'must be at most 1000000'],
  ['limit', '-20', 'must be at least 1'],
  ['limit', '99999999999999999999', 'must be at most 100'],
  ['limit', '1.5', 'must be a whole number'],
  ['limit', '1e1', 'must be a whole number'],
  ['limit', ' 1', 'must be a whole number'],
  ['limit', '+1', 'must be a whole number'],
  ['limit', '', 'must be a whole number'],
  ['limit', '-', 'must be a whole number'],
])('%s=%s: %s', (name, value, message) => {
  const { error } = schema.safeParse({ [name]: value });
  expect(error && fieldErrors(error, 'query')).toEqual({ [name]: [message] });
});
