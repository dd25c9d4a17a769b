/** `npm run receiver`: a webhook receiver for development, that verifies what comes and prints it. */
import { createServer, type IncomingMessage } from 'node:http';
import { parseArgs } from 'node:util';
import { Webhook } from 'standardwebhooks';

const USAGE = `npm run receiver -- --secret whsec_… [--port 4000] [--status 204]

  --secret S   the webhook's secret; give it twice while it is being rotated
  --port N     listen on 127.0.0.1:N
  --status N   what to answer to deliveries that verify, to see retries (500) or a pause (410)

Register it as http://localhost:4000/ where DEV_ALLOW_LOCAL_URLS=true is set (npm run dev does that).`;

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
  return { port, status, webhooks: values.secret.map((secret) => new Webhook(secret)) };
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

const { port, status, webhooks } = options();
const seen = new Set<string>();

const server = createServer(async (request, response) => {
  const body = await bodyOf(request);
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  );
  const id = headers['webhook-id'] ?? '';
  try {
    const payload = verify(webhooks, body, headers);
    console.log(`${new Date().toISOString()} verified ${id}${seen.has(id) ? ' (again)' : ''} → ${status}`);
    console.log(`${JSON.stringify(payload, null, 2)}\n`);
    seen.add(id);
    response.writeHead(status).end();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    console.log(`${new Date().toISOString()} ${request.method} does not verify: ${reason} → 400\n`);
    response.writeHead(400).end();
  }
});

server.on('error', (error) => {
  console.error(error.message);
  process.exit(1);
});
server.listen(port, '127.0.0.1', () => console.log(`Listening on http://localhost:${port}/\n`));
