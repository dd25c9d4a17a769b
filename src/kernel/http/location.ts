import type { Context } from 'hono';
import type { App, HeaderFields } from './context.ts';
import { createdParameter, type Endpoint, type EndpointSpec } from './endpoint.ts';

/** Returns the endpoint that reads what a POST creates (201) or starts (202); `undefined` if there is none. */
export const readerOf = (spec: EndpointSpec, endpoints: readonly Endpoint[]): EndpointSpec | undefined =>
  spec.method === 'post' && (spec.status === 201 || spec.status === 202)
    ? endpoints.find((to) => to.spec.method === 'get' && createdParameter(spec, to.spec))?.spec
    : undefined;

/**
 * Returns the header `Location` (RFC 9110, 10.2.2) of a response with what a POST has created or started: the path at which
 * `reader` reads it.
 */
export function locationOf(
  c: Context<App>,
  { spec, reader }: { readonly spec: EndpointSpec; readonly reader: EndpointSpec },
  created: object,
): HeaderFields {
  const own = createdParameter(spec, reader) ?? '';
  const id = String(new Map(Object.entries(created)).get(own));
  const partOf = (name: string) => (name === own ? id : (c.req.param(name) ?? ''));
  const path = reader.path.replace(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(partOf(name)));
  return { Location: path };
}
