import { expect } from 'vitest';
import { endpoints } from '../../../src/app.ts';
import { allowedMethods } from '../../../src/kernel/http/endpoint.ts';
import { openApiDocument } from './document.ts';
import { SchemaSet } from './schema-set.ts';

interface Operation {
  responses: Record<string, Documented>;
}

interface Documented {
  headers?: Record<string, object>;
  content?: Record<string, { schema: object }>;
}

interface Event {
  post: {
    parameters: { name: string; in: string; schema: object }[];
    requestBody: { content: { 'application/json': { schema: object; example: { data: object } } } };
  };
}

const contract = openApiDocument<{
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, Event>;
  components: { headers: Record<string, { required?: boolean }> };
}>();

const params = (path: string): number => path.split('{').length;

/** The documented paths, fixed ones first: /products/import is meant before /products/{id}. */
const patterns = Object.keys(contract.paths)
  .sort((a, b) => params(a) - params(b))
  .map((path) => ({ path, pattern: new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/]+')}$`) }));

const versioned = endpoints.filter(({ spec }) => spec.cached);

const schemas = new SchemaSet(contract.components);

const REQUEST_ID = /^[0-9a-f-]{36}$/;

/**
 * Fails the test unless a response matches the OpenAPI document for this operation and status. Runs after each of
 * a hundred thousand requests, so it calls `expect`, which costs more than a comparison, only for what is wrong.
 */
export async function checkAnswer(
  method: string,
  path: string,
  answer: { status: number; headers: Headers; body: unknown },
): Promise<void> {
  const where = `${method} ${path} → ${answer.status}`;
  const id = answer.headers.get('x-request-id') ?? '';
  if (!REQUEST_ID.test(id)) expect(id, where).toMatch(REQUEST_ID);
  checkCaching(where, path, answer);
  const bare = path.split('?')[0] ?? path;
  const found = patterns.find(({ pattern }) => pattern.test(bare));
  const operation = found && contract.paths[found.path]?.[method.toLowerCase()];
  if (!operation) return;
  const response = operation.responses[String(answer.status)];
  if (!response) throw new Error(`${where} is not documented: ${JSON.stringify(answer.body)}`);
  checkHeaders(where, response, answer.headers);
  const mediaType = answer.headers.get('content-type')?.split(';')[0] ?? '';
  const { content = {} } = response;
  const schema = (content[mediaType] ?? content['application/json'])?.schema;
  if (!schema) return;
  expectValid(where, schema, answer.body);
}

/** Fails the test unless exactly the reads that carry a catalogue version may be kept (and asked for again). */
function checkCaching(
  where: string,
  path: string,
  { status, headers }: { status: number; headers: Headers },
) {
  // Static files.
  if (path.startsWith('/docs')) return;
  const bare = path.split('?')[0] ?? path;
  const kept =
    /^(GET|HEAD) /.test(where) && [200, 304].includes(status) && allowedMethods(versioned, bare).length > 0;
  const expected = kept ? 'private, no-cache' : 'no-store';
  if (headers.get('cache-control') !== expected) expect(headers.get('cache-control'), where).toBe(expected);
}

/** Fails the test when a response has one of our headers that is not documented, or lacks one that has to be there. */
function checkHeaders(where: string, { headers = {} }: Documented, sent: Headers): void {
  const faults = Object.entries(contract.components.headers).flatMap(([name, { required = false }]) => {
    if (sent.has(name)) return name in headers ? [] : [`${name} is not documented`];
    return required && name in headers ? [`${name} is missing`] : [];
  });
  if (faults.length > 0) expect(faults, where).toEqual([]);
}

/** Returns the event types of the OpenAPI document. */
export const eventTypes = (): string[] => Object.keys(contract.webhooks);

/** Returns the documented example of an event type's data, as the outbox has it. */
export function exampleData(type: string): Record<string, unknown> {
  const example = contract.webhooks[type]?.post.requestBody.content['application/json'].example;
  if (!example) throw new Error(`${type} is not documented`);
  const { sequence: _, occurred_at: __, ...data } = example.data as Record<string, unknown>;
  return data;
}

/** Fails the test unless a delivery matches the OpenAPI document for its event type. */
export function checkEvent(headers: Headers, body: { type: string }): void {
  const event = contract.webhooks[body.type]?.post;
  if (!event) throw new Error(`${body.type} is not documented`);
  expectValid(body.type, event.requestBody.content['application/json'].schema, body);
  for (const { name, schema } of event.parameters) {
    expectValid(`${name} of ${body.type}`, schema, headers.get(name));
  }
}

function expectValid(what: string, schema: object, value: unknown): void {
  const faults = schemas.faultsOf(schema, value);
  if (faults.length === 0) return;
  expect(faults, `${what} does not match its schema: ${JSON.stringify(value).slice(0, 500)}`).toEqual([]);
}
