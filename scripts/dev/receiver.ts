/** `npm run receiver`: a webhook receiver for development. It verifies deliveries and prints them. */
import { createServer, type IncomingMessage } from 'node:http';
import { parseArgs } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { portNumber, readArguments, required, wholeNumber } from '../command-line.ts';

const USAGE = `npm run receiver -- --secret whsec_… [--port 4000] [--status 204]

  --secret S   the webhook's secret; repeat the option during a rotation
  --port N     listen on 127.0.0.1:N
  --status N   the response to verified deliveries, to test retries (500) or a pause (410)

To get the secret, register http://localhost:4000/ first:

  curl -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
    -d '{"url":"http://localhost:4000/","events":["product.updated","stock.changed"]}' \\
    http://127.0.0.1:8787/v1/webhooks

npm run dev accepts such a URL. A deployed service requires https and a public host.`;

function options(): { port: number; status: number; webhooks: Webhook[] } {
  const { values } = readArguments(USAGE, () =>
    parseArgs({
      options: {
        secret: { type: 'string', multiple: true, default: [] },
        port: { type: 'string', default: '4000' },
        status: { type: 'string', default: '204' },
        help: { type: 'boolean', short: 'h' },
      },
    }),
  );
  required('--secret', values.secret[0]);
  return {
    port: portNumber(values.port),
    status: wholeNumber('--status', values.status, 200, 599),
    webhooks: values.secret.map(webhookOf),
  };
}

/** Returns the verifier for a secret; throws for an invalid one. */
function webhookOf(secret: string): Webhook {
  try {
    return new Webhook(secret);
  } catch {
    throw new Error("--secret must be the secret from POST /v1/webhooks (whsec_…): this one can't be read.");
  }
}

/** Returns the raw body, which the signature covers. */
async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  request.setEncoding('utf8');
  for await (const chunk of request) body += chunk;
  return body;
}

/** Returns the payload if one of the secrets signed it; throws otherwise. */
function verify(webhooks: Webhook[], body: string, headers: Record<string, string>): unknown {
  const [first, ...others] = webhooks;
  try {
    return first?.verify(body, headers);
  } catch (error) {
    if (others.length === 0) throw error;
    return verify(others, body, headers);
  }
}

/** Prints a message with a timestamp. */
const log = (message: string) => console.log(`${new Date().toISOString()} ${message}`);

function quit(message: string): never {
  console.error(message);
  process.exit(1);
}

/** Starts the server, which verifies, prints and responds to deliveries. */
function listen({ port, status, webhooks }: ReturnType<typeof options>): void {
  const seen = new Set<string>();
  const server = createServer(async (request, response) => {
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    const id = headers['webhook-id'] ?? '';
    try {
      const payload = verify(webhooks, await bodyOf(request), headers);
      log(`verified ${id}${seen.has(id) ? ' (again)' : ''} → ${status}`);
      console.log(`${JSON.stringify(payload, null, 2)}\n`);
      seen.add(id);
      response.writeHead(status).end();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      log(`${request.method} failed verification: ${reason} → 400\n`);
      response.writeHead(400).end();
    }
  });
  server.on('error', ({ message }) => quit(message));
  server.listen(port, '127.0.0.1', () => console.log(`Listening on http://localhost:${port}/\n`));
}

try {
  listen(options());
} catch (error) {
  quit(error instanceof Error ? error.message : String(error));
}
