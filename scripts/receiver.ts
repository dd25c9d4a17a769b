/** `npm run receiver`: a webhook receiver for development, that verifies what comes and prints it. */
import { createServer, type IncomingMessage } from 'node:http';
import { parseArgs } from 'node:util';
import { Webhook } from 'standardwebhooks';

const USAGE = `npm run receiver -- --secret whsec_… [--port 4000] [--status 204]

  --secret S   the webhook's secret; give it twice while it is being rotated
  --port N     listen on 127.0.0.1:N
  --status N   what to answer to deliveries that verify, to see retries (500) or a pause (410)

Register it first, as http://localhost:4000/, for the secret:

  curl -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
    -d '{"url":"http://localhost:4000/","events":["product.updated","stock.changed"]}' \\
    http://127.0.0.1:8787/v1/webhooks

npm run dev takes such a URL; a service that is deployed wants https and a public host.`;

function options(): { port: number; status: number; webhooks: Webhook[] } {
  const { values } = parseArgs({
    options: {
      secret: { type: 'string', multiple: true, default: [] },
      port: { type: 'string', default: '4000' },
      status: { type: 'string', default: '204' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help || values.secret.length === 0) {
    console.log(USAGE);
    process.exit(values.help ? 0 : 1);
  }
  const [port, status] = [Number(values.port), Number(values.status)];
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new Error(`--port can't be ${values.port}.`);
  if (!Number.isInteger(status) || status < 200 || status > 599) {
    throw new Error(`--status can't be ${values.status}.`);
  }
  return { port, status, webhooks: values.secret.map(webhookOf) };
}

/** What verifies by a secret; throws where that is none. */
function webhookOf(secret: string): Webhook {
  try {
    return new Webhook(secret);
  } catch {
    throw new Error(`--secret can't be ${secret}: it is what POST /v1/webhooks answered, whsec_….`);
  }
}

/** The body as it came: verification needs every byte of it. */
async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  request.setEncoding('utf8');
  for await (const chunk of request) body += chunk;
  return body;
}

/** The payload, when one of the secrets signed it; throws otherwise. */
function verify(webhooks: Webhook[], body: string, headers: Record<string, string>): unknown {
  const [first, ...others] = webhooks;
  try {
    return first?.verify(body, headers);
  } catch (error) {
    if (others.length === 0) throw error;
    return verify(others, body, headers);
  }
}

/** Says something with the time before it. */
const tell = (what: string) => console.log(`${new Date().toISOString()} ${what}`);

function quit(message: string): never {
  console.error(message);
  process.exit(1);
}

/** Verifies what comes, prints it, and answers. */
function listen({ port, status, webhooks }: ReturnType<typeof options>): void {
  const seen = new Set<string>();
  const server = createServer(async (request, response) => {
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    const id = headers['webhook-id'] ?? '';
    try {
      const payload = verify(webhooks, await bodyOf(request), headers);
      tell(`verified ${id}${seen.has(id) ? ' (again)' : ''} → ${status}`);
      console.log(`${JSON.stringify(payload, null, 2)}\n`);
      seen.add(id);
      response.writeHead(status).end();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      tell(`${request.method} does not verify: ${reason} → 400\n`);
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
