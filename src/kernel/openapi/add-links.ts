import { z } from '@hono/zod-openapi';
import { createdParameter, type Endpoint, type EndpointSpec } from '../http/endpoint.ts';
import { readerOf } from '../http/location.ts';
import { operationIdOf } from './operation-id.ts';

/** A link of OpenAPI 3.1: an operation, and where the values of its parameters are found. */
interface Link {
  readonly operationId: string;
  readonly parameters: Readonly<Record<string, string>>;
}

interface Response {
  headers?: Record<string, object>;
  links?: Record<string, Link>;
}

interface Document {
  paths?: Record<string, Record<string, { responses: Record<string, Response> }>>;
}

const LOCATION = { Location: { $ref: '#/components/headers/Location' } };

const parametersOf = (path: string): string[] =>
  [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name);

/**
 * Adds links to a document that consists of plain JSON: from each operation that creates something to those that read,
 * change and delete it by the parameter that the response names (OpenAPI 3.1, 4.8.20). The response of one that can be
 * read has the header `Location`.
 */
export function addLinks(document: object, endpoints: readonly Endpoint[]): void {
  const { paths = {} }: Document = document;
  for (const { spec } of endpoints) {
    const response = paths[spec.path]?.[spec.method]?.responses[spec.status ?? 200];
    if (!response || spec.method !== 'post' || !(spec.answer instanceof z.ZodObject)) continue;
    const fields = Object.keys(spec.answer.shape);
    const links = endpoints.flatMap((one) => linkTo(spec, one.spec, fields));
    if (links.length > 0) response.links = Object.fromEntries(links);
    if (readerOf(spec, endpoints)) response.headers = { ...response.headers, ...LOCATION };
  }
}

/** Returns the link from a creation to an operation on what was created; none to any other operation. */
function linkTo(from: EndpointSpec, to: EndpointSpec, fields: readonly string[]): [string, Link][] {
  if (to.method === 'post') return [];
  const name = createdParameter(from, to);
  if (name === undefined || !fields.includes(name)) return [];
  const operationId = operationIdOf(to);
  const outer = parametersOf(from.creates ?? from.path).map((outerName) => [
    outerName,
    `$request.path.${outerName}`,
  ]);
  const parameters = Object.fromEntries([...outer, [name, `$response.body#/${name}`]]);
  return [[operationId, { operationId, parameters }]];
}
