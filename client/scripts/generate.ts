/**
 * Generates the client's types and its table of operations from the OpenAPI document. `/admin/v1` is left out:
 * it belongs to the platform's operator, who has no storefront.
 */
import openapiTS, {
  astToString,
  NEVER,
  STRING,
  tsIntersection,
  tsLiteral,
  tsRecord,
  tsUnion,
} from 'openapi-typescript';
import { byProductType, type Schema } from './product-types.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: Schema;
  readonly example?: unknown;
  readonly examples?: unknown;
}
type Content = Readonly<Record<string, { readonly schema: Schema }>>;
interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly [string];
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}
type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

/** The parts of the OpenAPI document that the client is generated from. */
export interface OpenApiDocument {
  readonly paths: Paths;
  readonly webhooks: Paths;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** The operations after which the customer's session no longer exists. */
const ENDING: ReadonlySet<string> = new Set(['logoutCustomer', 'eraseCurrentCustomer']);
/** By tag: whose `cart_token` a response has. */
const SESSIONS: Readonly<Record<string, string>> = { Cart: 'cart', Customers: 'customer' };
/** The parameters that ask for the next page, best first. */
const PAGE_PARAMETERS = ['cursor', 'after', 'page'];

/** Codes that shops and forms have as strings. Their lists are for completion; the API checks the values. */
const OPEN_ENUMS: ReadonlySet<string> = new Set([
  '#/components/schemas/Country',
  '#/components/schemas/Currency',
]);
/** Any string, as a type that doesn't absorb the codes beside it. */
const ANY_STRING = tsIntersection([STRING, tsRecord(NEVER, NEVER)]);

const NOTICE = '// Generated from the OpenAPI document by `npm run build:client`. Do not edit.\n';

/** Returns the generated files by name. */
export async function generate(document: OpenApiDocument): Promise<Record<string, string>> {
  const slim = slimDocument(document);
  // The generator takes any OpenAPI 3.1 document as an object.
  // A field with a default may be left out of a request; responses say which of theirs are always there.
  const nodes = await openapiTS(slim as unknown as Parameters<typeof openapiTS>[0], {
    defaultNonNullable: false,
    transform: ({ enum: codes }, { path = '' }) =>
      OPEN_ENUMS.has(path)
        ? tsUnion([...(codes ?? []).map((code) => tsLiteral(code)), ANY_STRING])
        : undefined,
  });
  return { 'schema.ts': NOTICE + astToString(nodes), 'operations.ts': NOTICE + operationsFile(document) };
}

/** Returns the document without what the client's types don't need: errors by status, headers, other schemas. */
function slimDocument(document: OpenApiDocument): OpenApiDocument {
  const paths = slimPaths(Object.fromEntries(tenantPaths(document)));
  const webhooks = slimPaths(document.webhooks);
  const all = document.components.schemas;
  const used = new Set(['Error']);
  collect({ paths, webhooks }, all, used);
  for (const name of [...used]) collect(all[name], all, used);
  const schemas = Object.fromEntries(Object.entries(all).filter(([name]) => used.has(name)));
  const { Product } = schemas;
  if (!Product) throw new Error('The document has no Product');
  const narrowed = { ...schemas, Product: byProductType(Product) };
  return { ...document, paths, webhooks, components: { schemas: narrowed } };
}

const tenantPaths = ({ paths }: OpenApiDocument) =>
  Object.entries(paths).filter(([path]) => path.startsWith('/v1/'));

/** Adds the names of all schemas that a part of the document refers to, directly or not. */
function collect(part: unknown, all: Readonly<Record<string, Schema>>, used: Set<string>): void {
  for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    if (used.has(name)) continue;
    used.add(name);
    collect(all[name], all, used);
  }
}

const slimPaths = (paths: Paths): Paths => mapValues(paths, (methods) => mapValues(methods, slimOperation));

function slimOperation({ responses, requestBody, parameters = [], ...rest }: Operation): Operation {
  const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const inUrl = parameters.filter((parameter) => parameter.in !== 'header');
  return {
    ...rest,
    // Without examples, which would fill the types' comments.
    parameters: inUrl.map(({ example: _, examples: __, schema, ...parameter }) => ({
      ...parameter,
      schema: orArray(schema),
    })),
    ...(requestBody && { requestBody: { ...requestBody, content: schemasOf(requestBody.content) } }),
    responses: mapValues(Object.fromEntries(successes), ({ content }) => ({
      description: 'Success',
      ...(content && { content: schemasOf(content) }),
    })),
  };
}

/** Returns the schema of a comma list, itself or of an object's values, as one that takes an array as well. */
function orArray(schema: Schema): Schema {
  const { additionalProperties } = schema;
  if (additionalProperties) return { ...schema, additionalProperties: orArray(additionalProperties) };
  const array = { type: 'array', items: { type: ['string', 'number'] } };
  return schema['x-comma-separated'] ? { anyOf: [schema, array] } : schema;
}

const schemasOf = (content: Content): Content => mapValues(content, ({ schema }) => ({ schema }));

const mapValues = <T, U>(record: Readonly<Record<string, T>>, map: (value: T) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));

interface Call {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

function operationsFile(document: OpenApiDocument): string {
  const calls = tenantPaths(document).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Call => ({ method, path, operation })),
  );
  const groups = [...Map.groupBy(calls, ({ operation }) => groupOf(operation.tags[0]))];
  return `import type { Operation } from '../operation.ts';
import type { operations } from './schema.ts';

/** The operations by resource and method. */
export interface Resources {
${groups.map(([group, list]) => `  ${group}: {\n${typesOf(group, list)}\n  };`).join('\n')}
}

type Table = { readonly [R in keyof Resources]: { readonly [M in keyof Resources[R]]: Operation } };

/** How each operation is called. */
export const OPERATIONS: Table = {
${groups.map(([group, list]) => `  ${group}: {\n${specsOf(document, list)}\n  },`).join('\n')}
};
`;
}

/** Returns the types of a resource's methods. Throws if two operations would be the same method. */
function typesOf(group: string, list: readonly Call[]): string {
  const names = list.map(({ operation }) => methodName(operation));
  if (new Set(names).size < names.length) throw new Error(`${group}: two methods have one name: ${names}`);
  const types = list.map(({ operation }) => {
    const { operationId, summary } = operation;
    return `    /** ${summary} (\`${operationId}\`). */\n    ${methodName(operation)}: operations['${operationId}'];`;
  });
  return types.join('\n');
}

const specsOf = (document: OpenApiDocument, list: readonly Call[]): string =>
  list
    .map((call) => `    ${methodName(call.operation)}: ${JSON.stringify(specOf(document, call))},`)
    .join('\n');

/** "Products" → `products`, "Gift cards" → `giftCards`. */
const groupOf = (tag: string): string =>
  tag.toLowerCase().replace(/[^a-z]+([a-z])/g, (_, first: string) => first.toUpperCase());

/** Returns the operation id without its resource: `listProducts` of "Products" → `list`. */
function methodName({ operationId, tags: [tag] }: Operation): string {
  const plural = tag.replace(/\s+(.)/g, (_, first: string) => first.toUpperCase());
  const singular = plural.replace(/ies$/, 'y').replace(/s$/, '');
  const whole = operationId.replace(new RegExp(`(?<=[a-z])(?:${plural}|${singular})(?=[A-Z]|$)`), '');
  return whole || operationId;
}

/** Returns how an operation is called; see the client's `Operation`. */
function specOf(document: OpenApiDocument, { method, path, operation }: Call): object {
  const { parameters = [], requestBody, security = [], operationId, tags } = operation;
  const named = (where: string) => parameters.filter((one) => one.in === where).map(({ name }) => name);
  const mediaTypes = Object.keys(requestBody?.content ?? {});
  const isStream = mediaTypes.length > 0 && !mediaTypes.includes('application/json');
  const body = isStream ? ['body'] : propertiesOf(document, requestBody?.content);
  refuseCollisions(operationId, [...named('path'), ...named('query'), ...body]);
  const success = Object.entries(operation.responses).find(([status]) => status.startsWith('2'));
  const fields = propertiesOf(document, success?.[1].content);
  const page = PAGE_PARAMETERS.find((name) => named('query').includes(name)) ?? '';
  const limit = parameters.find(({ name }) => name === 'limit')?.schema.maximum;
  const isLive = named('query').includes('wait');
  const takesCustomer =
    security.some((one) => 'customerSession' in one) || named('header').includes('X-Customer-Token');
  const session = fields.includes('cart_token') && SESSIONS[tags[0]];
  return {
    method: method.toUpperCase(),
    path,
    ...(requestBody && named('query').length > 0 && { query: named('query') }),
    ...(isStream && { mediaTypes }),
    ...([...named('query'), ...body].includes('cart_token') && { takesCart: true }),
    ...(takesCustomer && { takesCustomer }),
    ...(session && { returnsSession: session }),
    ...(ENDING.has(operationId) && { endsSession: true }),
    ...(method === 'get' &&
      fields.includes('data') && { list: { page, ...(limit && { limit }), ...(isLive && { live: true }) } }),
  };
}

function refuseCollisions(id: string, names: readonly string[]): void {
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice) throw new Error(`${id} takes "${twice}" in two places, and the client's input has one`);
}

function propertiesOf({ components }: OpenApiDocument, content: Content | undefined): string[] {
  const schema = content?.['application/json']?.schema;
  const found = schema?.$ref ? components.schemas[schema.$ref.split('/').at(-1) ?? ''] : schema;
  return Object.keys(found?.properties ?? {});
}
