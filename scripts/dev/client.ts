import { setTimeout as sleep } from 'node:timers/promises';

/** Calls the API with a token. Throws an {@link ApiError} for a non-2xx response. Sends a Blob as is, else JSON. */
export type Client = <T>(
  method: 'GET' | 'POST' | 'PUT' | 'PATCH',
  path: string,
  body?: object | Blob,
) => Promise<T>;

/** An error response of the API. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** How often a call is sent again that the service can't respond to. The last wait is 16 seconds. */
const MAX_RETRIES = 5;

/** Returns the seconds until a call is sent again: what the response asks for, or at least 1, 2, 4, … */
const retryDelay = ({ headers }: Response, retries: number): number =>
  Math.max(Number(headers.get('retry-after') ?? 0), 2 ** retries);

/** Sends a request that may be sent again, at most {@link MAX_RETRIES} times while the response is 503. */
export async function fetchPatiently(url: string, init: RequestInit = {}): Promise<Response> {
  for (let retries = 0; ; retries++) {
    const response = await fetch(url, init);
    if (response.status !== 503 || retries === MAX_RETRIES) return response;
    await response.body?.cancel();
    await sleep(1000 * retryDelay(response, retries));
  }
}

/**
 * Returns a client of the API at `base` ("http://127.0.0.1:8787") that sends `headers` with each call. It retries
 * 429 responses after `Retry-After`, and 503 responses to what reads or replaces.
 */
export function client(base: string, token: string, headers: Readonly<Record<string, string>> = {}): Client {
  return async <T>(method: string, path: string, body?: object | Blob): Promise<T> => {
    const type = body instanceof Blob ? body.type : 'application/json';
    const send = method === 'GET' || method === 'PUT' ? fetchPatiently : fetch;
    for (;;) {
      const response = await send(base + path, {
        method,
        headers: {
          ...headers,
          Authorization: `Bearer ${token}`,
          ...(body ? { 'Content-Type': type } : {}),
        },
        ...(body ? { body: body instanceof Blob ? body : JSON.stringify(body) } : {}),
      });
      const text = await response.text();
      // The caller names the type; the API's own tests check responses against the OpenAPI document.
      if (response.ok) return (text ? JSON.parse(text) : null) as T;
      if (response.status !== 429) throw failure(method, path, response.status, text);
      await sleep(1000 * Number(response.headers.get('retry-after') ?? 1));
    }
  };
}

function failure(method: string, path: string, status: number, text: string): ApiError {
  const error = { code: '', message: text.slice(0, 300), errors: undefined as unknown };
  try {
    Object.assign(error, JSON.parse(text));
  } catch {
    // Not an error body of the API, so its text is the message.
  }
  const fields = error.errors ? ` ${JSON.stringify(error.errors)}` : '';
  return new ApiError(status, error.code, `${method} ${path} → ${status} ${error.message}${fields}`);
}
