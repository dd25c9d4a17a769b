import type { IncomingHttpHeaders } from 'node:http';
import { SchemaSet } from '../../test/support/contract/schema-set.ts';

type Content = Readonly<Record<string, { readonly schema?: object }>>;

/** A parameter of an operation of an OpenAPI 3.1 document. */
interface Parameter {
  readonly in: 'query' | 'path' | 'header';
  readonly name: string;
  readonly required?: boolean;
  readonly schema: { readonly type?: unknown; readonly propertyNames?: { readonly pattern: string } };
}

interface Documented {
  readonly headers?: Readonly<Record<string, object>>;
  readonly content?: Content;
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, Documented>>;
}

/** What is read of an OpenAPI 3.1 document. */
export interface OpenApi {
  readonly components: { readonly headers?: Readonly<Record<string, { readonly required?: boolean }>> };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** Headers and body of a request or a response. */
interface Message {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A request and its response. */
export interface Exchange {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly sent: Message;
  readonly status: number;
  readonly received: Message;
}

const mediaType = ({ 'content-type': type = '' }: IncomingHttpHeaders): string => type.split(';')[0] ?? '';
const isAccepted = (status: number): boolean => status < 400;

/** Checks exchanges against an OpenAPI document. */
export class Contract {
  readonly #document: OpenApi;
  readonly #schemas: SchemaSet;
  readonly #paths: readonly { readonly path: string; readonly pattern: RegExp }[];

  constructor(document: OpenApi) {
    this.#document = document;
    this.#schemas = new SchemaSet(document.components);
    const parameters = (path: string) => path.split('{').length;
    this.#paths = Object.keys(document.paths)
      // A path without parameters is more specific than one with them.
      .sort((a, b) => parameters(a) - parameters(b))
      .map((path) => ({
        path,
        pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{[^}]+\}/g, '[^/]+')}$`),
      }));
  }

  /**
   * Returns where an exchange differs from the document: its path, method, status, media types, headers and JSON
   * bodies. What the client sent is compared only if the service accepted it: refusing it is the service's part.
   */
  faultsOf(exchange: Exchange): string[] {
    const { method, target, status, received } = exchange;
    const name = `${method} ${target} → ${status}`;
    const operation = this.#operation(method, target);
    if (!operation)
      return isAccepted(status) || status >= 500 ? [`${name}: the operation is not documented`] : [];
    const response = operation.responses[status];
    const faults = response
      ? [
          ...this.#headerFaults(response, received.headers),
          ...this.#bodyFaults(method === 'HEAD' ? undefined : response.content, received),
        ]
      : ['the status is not documented'];
    if (isAccepted(status)) faults.push(...this.#requestFaults(operation, exchange));
    return faults.map((fault) => `${name}: ${fault}`);
  }

  #operation(method: string, target: string): Operation | undefined {
    const [path = ''] = target.split('?');
    const found = this.#paths.find(({ pattern }) => pattern.test(path));
    // RFC 9110, 9.3.2: HEAD is GET without the response's content.
    const documented = method === 'HEAD' ? 'get' : method.toLowerCase();
    return found && this.#document.paths[found.path]?.[documented];
  }

  /** Compares the headers that the document names: the others, such as `Date`, are HTTP's. */
  #headerFaults({ headers = {} }: Documented, received: IncomingHttpHeaders): string[] {
    const named = Object.entries(this.#document.components.headers ?? {});
    return named.flatMap(([name, { required }]) => {
      const isSent = name.toLowerCase() in received;
      if (isSent && !(name in headers)) return [`the header ${name} is not documented`];
      return required && name in headers && !isSent ? [`the header ${name} is missing`] : [];
    });
  }

  #requestFaults({ parameters = [], requestBody }: Operation, { target, sent }: Exchange): string[] {
    const query = new URLSearchParams(target.split('?')[1]);
    const unknown = [...query.keys()].filter((name) => !parameters.some((one) => isNamed(one, name)));
    return [
      ...unknown.map((name) => `the query parameter ${name} is not documented`),
      ...parameters.flatMap((parameter) => this.#parameterFaults(parameter, query, sent.headers)),
      ...(sent.body === '' && !requestBody?.required ? [] : this.#bodyFaults(requestBody?.content, sent)),
    ].map((fault) => `request: ${fault}`);
  }

  #parameterFaults(parameter: Parameter, query: URLSearchParams, headers: IncomingHttpHeaders): string[] {
    const { in: place, name, required, schema } = parameter;
    // The path has matched, and an object's names are those of its own parameters.
    if (place === 'path' || schema.type === 'object') return [];
    const value = place === 'query' ? query.get(name) : headers[name.toLowerCase()]?.toString();
    if (value === null || value === undefined) return required ? [`the parameter ${name} is missing`] : [];
    const isValid = readings(value).some((one) => this.#schemas.faultsOf(schema, one).length === 0);
    return isValid ? [] : [`the parameter ${name} can't be ${JSON.stringify(value)}`];
  }

  /** Returns why a body is not one of the documented content. */
  #bodyFaults(content: Content | undefined, { headers, body }: Message): string[] {
    const type = mediaType(headers);
    if (body === '' && content === undefined) return [];
    const documented = content?.[type];
    if (!documented) return [`a body of ${type || 'no type'} is not documented`];
    if (!documented.schema || !/[/+]json$/.test(type)) return [];
    return this.#schemas.faultsOf(documented.schema, JSON.parse(body));
  }
}

/** Returns whether a query parameter has this name: its own, or one of its object's (`attr.color`). */
const isNamed = ({ in: place, name, schema }: Parameter, given: string): boolean =>
  place === 'query' &&
  (name === given ||
    (schema.propertyNames ? new RegExp(schema.propertyNames.pattern, 'u').test(given) : false));

/** Returns the values that the text of a parameter can stand for: itself, a number, a boolean. */
const readings = (text: string): unknown[] => [
  text,
  ...(text.trim() === '' ? [] : [Number(text)]),
  ...(text === 'true' || text === 'false' ? [text === 'true'] : []),
];
