import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { expect, it, vi } from 'vitest';
import { PRODUCT_TYPES } from '../../../src/catalog/tables.ts';
import { SchemaSet } from '../../support/contract/schema-set.ts';
import { listen } from '../../support/runtime/internet.ts';
import { onEveryShard } from '../../support/runtime/runtime.ts';
import { type Answer, send } from '../../support/world.ts';
import { documentExamples, type ExampleCall, type Stated } from './document-examples.ts';
import { Learned } from './learned.ts';
import { APART, STORY } from './story.ts';

/** The examples of the API reference: a newcomer who sends them gets the answers that it shows. */

const { calls, events, components } = await documentExamples();

const schemas = new SchemaSet(components);
const faultsOf = ({ schema, value }: Stated): string[] => schemas.faultsOf(schema, value);

it.each([...calls.values()])('$name has examples that match their schemas', (call) => {
  const parameters = call.parameters.filter((one) => one.required || one.example !== undefined);
  const stated = parameters.map(({ schema, example }) => ({ schema, value: example }));
  for (const part of [...stated, call.body, call.answer]) {
    if (!part) continue;
    expect(part.value).toBeDefined();
    expect(faultsOf(part)).toEqual([]);
  }
});

it.each([...events])('%s has an example delivery that matches its schema', (_, body) => {
  expect(body.value).toBeDefined();
  expect(faultsOf(body)).toEqual([]);
});

it('shows an error of each code', () => {
  const schema = { $ref: '#/components/schemas/Error' };
  const codes = Object.entries(components.examples);
  expect(codes.length).toBeGreaterThan(40);
  for (const [code, { value }] of codes) {
    expect(value).toMatchObject({ code });
    expect(faultsOf({ schema, value }), code).toEqual([]);
  }
});

it('creates a product of each type', () => {
  const types = [...calls.values()]
    .filter(({ name }) => name.startsWith('POST /v1/products #'))
    .map(({ name, body }) => [name.split('#')[1], body?.value]);
  expect(types.map(([type]) => type).sort()).toEqual([...PRODUCT_TYPES].sort());
  for (const [type, body] of types) expect(body).toMatchObject({ type });
});

it('contains every example in its story, or names it as apart', () => {
  expect(new Set<string>([...STORY, ...APART])).toEqual(new Set(calls.keys()));
});

/** The bodies that the shop's server got. */
const delivered: { readonly id: string; readonly type: string; readonly data: object }[] = [];

/** What no request can bring about: the test does it before the operation. */
const OUTSIDE: Readonly<Record<string, (example: unknown) => unknown>> = {
  // A message becomes a dead letter only after a queue failed on every retry.
  'GET /admin/v1/dead-letters': (example) => {
    // The example has been validated.
    return env.DB.batch((example as { data: Letter[] }).data.map(recordLetter));
  },
  // The shop's other customer, whose session this reader doesn't have.
  'DELETE /v1/customers/{id}': () =>
    onEveryShard(sql`INSERT INTO customers (id, tenant_id, email, name, password, created_at, updated_at)
       SELECT 2, tenant_id, 'jonas@example.com', 'Jonas Weber', '', 0, 0 FROM customers WHERE id = 1`),
  // A ping is delivered only where the shop's own server answers.
  'POST /v1/webhooks': () =>
    listen('shop.example.com', ({ body }) => {
      delivered.push(JSON.parse(body));
      return new Response(null, { status: 204 });
    }),
};

type Letter = Record<'id' | 'queue' | 'error', string> & { message: object; attempts: number };

const recordLetter = ({ id, queue, message, attempts, error }: Letter) =>
  env.DB.prepare(
    `INSERT INTO dead_letters (id, body, queue, attempts, error, sent_at, recorded_at)
     VALUES (?, ?, ?, ?, ?, 0, 0)`,
  ).bind(id, JSON.stringify(message), queue, attempts, error);

/** The events that the story causes at the shop's server, after which of its operations. */
const EVENTS: Readonly<Record<string, readonly string[]>> = {
  'POST /v1/orders/{id}/cancel': ['ping', 'stock.changed', 'order.created', 'order.paid', 'order.cancelled'],
  'PATCH /v1/orders/{id}/fulfilments/{fulfilment_id} #delivered': [
    'order.fulfilled',
    'order.tracking_changed',
  ],
  'POST /v1/orders/{id}/refunds': ['order.refunded'],
};

/** One reader of the reference: the tokens that they have got so far. */
class Newcomer {
  private readonly learned = new Learned();
  private token: string | undefined;
  private session: string | undefined;

  /** Sends an example. Repeats a GET until its answer is the example's: some work runs in the background. */
  async follow(call: ExampleCall): Promise<void> {
    await OUTSIDE[call.name]?.(this.learned.apply(call.answer?.value));
    const attempt = async () => {
      const answer = await this.send(call);
      const what = `${call.name}: ${JSON.stringify(answer.body)}`;
      expect(answer.status, what).toBe(call.status);
      expect(this.learned.compare(call.answer?.value ?? null, answer.body), what).toEqual([]);
      this.keep(call, answer);
    };
    await (call.method === 'GET' ? vi.waitFor(attempt, { timeout: 30_000, interval: 100 }) : attempt());
  }

  /** Waits until the shop's server has got an event of each type that is as the example says. */
  async receive(types: readonly string[]): Promise<void> {
    for (const type of types) {
      // The example has been validated.
      const example = events.get(type)?.value as { data: object };
      await vi.waitFor(
        () => {
          const different = delivered
            .filter((one) => one.type === type)
            .map(({ data }) => this.learned.compare(example.data, data));
          expect(different, type).toContainEqual([]);
        },
        { timeout: 30_000, interval: 100 },
      );
    }
  }

  private send({ method, path, parameters, body, mediaType, session }: ExampleCall): Promise<Answer> {
    const given = parameters.filter(({ example }) => example !== undefined);
    const named = (place: string) =>
      given
        .filter((one) => one.in === place)
        .map((one) => [one.name, String(this.learned.apply(one.example))]);
    const values = Object.fromEntries(named('path'));
    const target = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(values[name] ?? ''));
    const query = new URLSearchParams(named('query')).toString();
    const token = path.startsWith('/admin/') ? env.SUPER_ADMIN_TOKEN : this.token;
    const own = { 'content-type': mediaType ?? '', 'x-customer-token': (session && this.session) || '' };
    return send(method, query ? `${target}?${query}` : target, {
      token: token ?? null,
      headers: Object.fromEntries(Object.entries(own).filter(([, value]) => value !== '')),
      ...(typeof body?.value === 'string' ? { raw: body.value } : { body: this.learned.apply(body?.value) }),
    });
  }

  /** Keeps the token of the back office, and that of the customer's latest session. */
  private keep({ name }: ExampleCall, { body }: Answer): void {
    if (name.endsWith('/applications #integration')) this.token = body.token;
    if (body?.token?.startsWith('cs_')) this.session = body.token;
  }
}

it('runs the examples in order: each succeeds with the response that it shows', async () => {
  const newcomer = new Newcomer();
  for (const name of STORY) {
    const call = calls.get(name);
    if (!call) throw new Error(`${name} has no example`);
    await newcomer.follow(call);
    await newcomer.receive(EVENTS[name] ?? []);
  }
});
