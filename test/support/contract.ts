import { Validator } from '@cfworker/json-schema';
import { expect } from 'vitest';
import { app } from '../../src/app.ts';
import { document } from '../../src/kernel/document.ts';

interface Operation {
  responses: Record<string, { content?: Record<string, { schema: object }> }>;
}

// The document is plain JSON; these are the parts of OpenAPI 3.1 that are read here.
const contract = JSON.parse(JSON.stringify(document(app))) as {
  paths: Record<string, Record<string, Operation>>;
  components: object;
};

const patterns = Object.keys(contract.paths).map((path) => ({
  path,
  pattern: new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/]+')}$`),
}));

const validators = new Map<string, Validator>();

/** Fails the test when an answer is not what the OpenAPI document says of this operation and status. */
export async function checkAnswer(
  method: string,
  path: string,
  answer: { status: number; headers: Headers; body: unknown },
): Promise<void> {
  const where = `${method} ${path} → ${answer.status}`;
  expect(answer.headers.get('x-request-id'), where).toMatch(/^[0-9a-f-]{36}$/);
  const bare = path.split('?')[0] ?? path;
  // A fixed path is meant before one with a parameter: /products/import before /products/{id}.
  const found = patterns
    .filter(({ pattern }) => pattern.test(bare))
    .sort((a, b) => params(a.path) - params(b.path))[0];
  const operation = found && contract.paths[found.path]?.[method.toLowerCase()];
  if (!operation) return;
  const response = operation.responses[String(answer.status)];
  expect(response, `${where} is not documented: ${JSON.stringify(answer.body)}`).toBeDefined();
  const schema = response?.content?.['application/json']?.schema;
  if (!schema) return;
  const key = `${found.path} ${method} ${answer.status}`;
  const validator =
    validators.get(key) ??
    new Validator({ ...schema, components: contract.components } as object, '2020-12', false);
  validators.set(key, validator);
  const result = validator.validate(answer.body);
  const errors = result.errors.map((error) => `${error.instanceLocation}: ${error.error}`);
  expect(errors, `${where} does not match its schema: ${JSON.stringify(answer.body).slice(0, 500)}`).toEqual(
    [],
  );
}

const params = (path: string): number => path.split('{').length;
