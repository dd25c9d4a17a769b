import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The version of the Universal Commerce Protocol that the assistant speaks. */
export const UCP_VERSION = '2026-04-08';

const CAPABILITIES = [
  ...['catalog.search', 'catalog.lookup', 'cart', 'checkout', 'order'],
  ...['fulfillment', 'discount', 'buyer_consent'],
];
const KEY_ID = 'assistant-1';

/**
 * The platform of the assistant: it serves its profile on this machine, receives the events of orders, and signs its
 * requests (RFC 9421, ES256).
 */
export class Platform {
  readonly #server: Server;
  readonly #key: KeyObject;
  readonly #publicKey: object;

  /** `onEvent` is called with each event of an order. */
  private constructor(onEvent: (event: unknown) => void) {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#key = privateKey;
    this.#publicKey = { ...publicKey.export({ format: 'jwk' }), kid: KEY_ID, alg: 'ES256', use: 'sig' };
    this.#server = createServer((request, response) => {
      if (request.method === 'GET') {
        response.setHeader('Content-Type', 'application/json');
        response.setHeader('Cache-Control', 'public, max-age=60');
        response.end(JSON.stringify(this.#profile()));
        return;
      }
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => {
        onEvent(JSON.parse(body));
        response.end();
      });
    });
  }

  /** Starts a platform on a free port of this machine. */
  static async start(onEvent: (event: unknown) => void): Promise<Platform> {
    const platform = new Platform(onEvent);
    await new Promise<void>((resolve) => platform.#server.listen(0, '127.0.0.1', resolve));
    return platform;
  }

  /** Stops the server. */
  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  get #origin(): string {
    // A server that listens on a port has an address of this kind.
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  #profile(): object {
    const entry = (name: string) => ({
      version: UCP_VERSION,
      spec: `https://ucp.dev/${UCP_VERSION}/specification/overview`,
      schema: `https://ucp.dev/${UCP_VERSION}/schemas/shopping/${name}.json`,
      ...(name === 'order' && { config: { webhook_url: `${this.#origin}/orders` } }),
    });
    return {
      ucp: {
        version: UCP_VERSION,
        services: {},
        capabilities: Object.fromEntries(
          CAPABILITIES.map((name) => [`dev.ucp.shopping.${name}`, [entry(name)]]),
        ),
        payment_handlers: {},
      },
      signing_keys: [this.#publicKey],
    };
  }

  /** Returns the headers of a signed request, with an idempotency key if it has a body. */
  headers(method: string, url: URL, body?: string): Record<string, string> {
    const fields: Record<string, string> = {
      'ucp-agent': `profile="${this.#origin}/profile.json"`,
      ...(body !== undefined && {
        'idempotency-key': crypto.randomUUID(),
        'content-type': 'application/json',
        'content-digest': `sha-256=:${createHash('sha256').update(body).digest('base64')}:`,
      }),
    };
    const covered = { '@method': method, '@authority': url.host, '@path': url.pathname, ...fields };
    const names = Object.keys(covered).map((name) => `"${name}"`);
    const parameters = `(${names.join(' ')});created=${Math.floor(Date.now() / 1000)};keyid="${KEY_ID}"`;
    const base = [
      ...Object.entries(covered).map(([name, value]) => `"${name}": ${value}`),
      `"@signature-params": ${parameters}`,
    ].join('\n');
    const signature = sign('sha256', Buffer.from(base), { key: this.#key, dsaEncoding: 'ieee-p1363' });
    return {
      ...fields,
      'signature-input': `sig1=${parameters}`,
      signature: `sig1=:${signature.toString('base64')}:`,
    };
  }
}
