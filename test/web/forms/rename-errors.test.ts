import { expect, it } from 'vitest';
import { renameErrors } from '../../../src/web/forms/rename-errors.ts';

it('names the errors of several fields by the one that shows them, each message once', () => {
  const errors = {
    name: ['is required'],
    'variants.0.sku': ['is taken'],
    'variants.1.sku': ['is too long', 'is taken'],
  };
  const formError = { message: 'The input is not valid.', status: 422, errors };
  expect(renameErrors(formError, (field) => field.replace(/^variants\..*/, 'options'))).toEqual({
    message: 'The input is not valid.',
    status: 422,
    errors: { name: ['is required'], options: ['is taken', 'is too long'] },
  });
});
