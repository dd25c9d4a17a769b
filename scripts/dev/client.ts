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

/**
 * Returns a client of the API at `base` ("http://127.0.0.1:8787") that sends `headers` with each call. It retries
 * 429 responses after `Retry-After`.
 */
export function client(base: string, token: string, headers: Readonly<Record<string, string>> = {}): Client {
  return async <T>(method: string, path: string, body?: object | Blob): Promise<T> => {
    const type = body instanceof Blob ? body.type : 'application/json';
    for (;;) {
      const response = await fetch(base + path, {
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
