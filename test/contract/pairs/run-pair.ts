/** Two writes at the same instant must be as one after the other, in either order. */
import { env } from 'cloudflare:workers';
import { checkAnswer } from '../../support/contract/contract.ts';
import { fetchWith } from '../../support/faults/bindings.ts';
import type { World } from '../../support/world.ts';
import type { Delays } from './delays.ts';
import { stateOf, withoutChance } from './tenant-state.ts';

/** A request that writes. Its path is below `/v1` unless it begins with `/admin` or `/checkout`. */
export interface Write {
  readonly method: 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  /** The fields of a form, in place of `body`. */
  readonly form?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A tenant of its own with a resource, the writes that change it, and the paths that show it. */
export interface Copy {
  readonly shop: World;
  readonly writes: Readonly<Record<string, Write>>;
  readonly reads: readonly string[];
  /** Whether a write is only paired with others: events and audit log may report one twice that was sent twice at once. */
  readonly othersOnly?: boolean;
}

/** Makes a copy of a resource: always the same, in another tenant. */
export type MakeCopy = () => Promise<Copy>;

/** The names of two writes; the same one may be sent twice. */
export type Pair = readonly [string, string];

/** The responses to both writes, in the order of the pair, and what is stored and shown after them. */
export interface Outcome {
  readonly answers: readonly string[];
  readonly state: readonly string[];
}

/** The newest catalogue version that a response has named. */
const versions = new WeakMap<World, number>();

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text || null;
  }
};

async function send(bindings: Env, { shop, writes }: Copy, name: string): Promise<string> {
  const { method, path: below, body, form, headers = {} } = writes[name] ?? { method: 'POST', path: '/none' };
  const path = /^\/(admin|checkout\/ck_)/.test(below) ? below : `/v1${below}`;
  const token = path.startsWith('/v1')
    ? shop.token
    : path.startsWith('/admin')
      ? env.SUPER_ADMIN_TOKEN
      : null;
  const type = form ? 'application/x-www-form-urlencoded' : 'application/json';
  const sent = form ? new URLSearchParams(form).toString() : body && JSON.stringify(body);
  const response = await fetchWith(bindings, method, path, token, {
    headers: { ...(sent !== undefined && { 'content-type': type }), ...headers },
    ...(sent !== undefined && { body: sent }),
  });
  const answer = { status: response.status, headers: response.headers, body: parsed(await response.text()) };
  await checkAnswer(method, path, answer);
  const version = Number(response.headers.get('x-catalog-version'));
  versions.set(shop, Math.max(version, versions.get(shop) ?? 0));
  return `${answer.status} ${codeOf(answer.status, answer.body)}`.trim();
}

/** Returns the code of an error. Which credentials ended first makes no difference. */
const codeOf = (status: number, body: unknown): string =>
  status !== 401 && typeof body === 'object' && body !== null && 'request_id' in body && 'code' in body
    ? String(body.code)
    : '';

async function stateAfter({ shop, reads }: Copy): Promise<string[]> {
  const headers = { 'x-catalog-version': String(versions.get(shop) ?? 0) };
  const shown = reads.map(async (path) => {
    const { status, body } = await shop.get(path, { headers });
    const { request_id: _, ...rest } = { request_id: null, ...body };
    return withoutChance(
      `GET ${path.replace(/(?<=[=/])\d+/g, 'ID')} ${status} ${JSON.stringify(rest)}`,
      shop,
    );
  });
  return [...(await stateOf(shop)), ...(await Promise.all(shown))];
}

/** Sends writes one after the other. */
async function serially(copy: Copy, names: readonly string[]): Promise<Outcome> {
  const answers: string[] = [];
  for (const name of names) answers.push(await send(env, copy, name));
  return { answers, state: await stateAfter(copy) };
}

/** Sends two writes at once, with random delays around all that they await. */
async function concurrently(copy: Copy, pair: Pair, delays: Delays): Promise<Outcome> {
  const answers = await delays.during(() =>
    Promise.all(
      pair.map(async (name) => {
        await delays.pause();
        return send(delays.bindings(), copy, name);
      }),
    ),
  );
  return { answers, state: await stateAfter(copy) };
}

/** A response after which the request took no effect and may be sent again: a cart is also locked while it is ordered. */
const RETRY = /^(?:409 (?:cart_locked|conflict|idempotency_in_progress)|503 unavailable)$/;

/** Returns the outcomes that two concurrent writes may have, given their answers. */
async function allowedOutcomes(make: MakeCopy, [a, b]: Pair, { answers }: Outcome): Promise<Outcome[]> {
  const [[copy, turned], [first = '', second = '']] = [await Promise.all([make(), make()]), answers];
  const [ab, ba] = await Promise.all([serially(copy, [a, b]), serially(turned, [b, a])]);
  const allowed = [ab, { ...ba, answers: ba.answers.toReversed() }];
  for (const [retried, other, nth] of [
    [first, b, 0],
    [second, a, 1],
  ] as const) {
    if (!RETRY.test(retried)) continue;
    const alone = await serially(await make(), [other]);
    allowed.push({
      ...alone,
      answers: nth === 0 ? [retried, ...alone.answers] : [...alone.answers, retried],
    });
  }
  return [...allowed, ...allowed.flatMap(goneMeanwhile)];
}

/**
 * Returns the outcomes of what is deleted meanwhile: a change whose response is rendered after that, which is 404, or 401
 * without its session; and a deletion that another one overtakes.
 */
function goneMeanwhile({ answers: [a = '', b = ''], state }: Outcome): Outcome[] {
  const lost = (status: string) => (status === '200' ? ['404 *', '401'] : []);
  const isLate = (status: string) => /^40[14]/.test(status);
  if (b === '204' && isLate(a)) return [{ answers: ['204', b], state }];
  if (a === '204' && isLate(b)) return [{ answers: [a, '204'], state }];
  if (b === '204') return lost(a).map((gone) => ({ answers: [gone, b], state }));
  return a === '204' ? lost(b).map((gone) => ({ answers: [a, gone], state })) : [];
}

const isSame = (one: Outcome, other: Outcome): boolean =>
  one.answers.every(
    (answer, n) => answer === other.answers[n] || (answer === '404 *' && other.answers[n]?.startsWith('404')),
  ) && JSON.stringify(one.state) === JSON.stringify(other.state);

/** The parts of a state that another one lacks. */
const without = (state: readonly string[], other: readonly string[]): string[] =>
  state.filter((part) => !other.includes(part));

/**
 * Sends a pair at once. Returns null if that was as one after the other, in either order, or what differs from each of
 * the outcomes that are allowed.
 */
export async function faultOf(make: MakeCopy, pair: Pair, delays: Delays): Promise<object | null> {
  const got = await concurrently(await make(), pair, delays);
  const allowed = await allowedOutcomes(make, pair, got);
  if (allowed.some((one) => isSame(one, got))) return null;
  return {
    pair,
    answers: got.answers,
    insteadOf: allowed.slice(0, 2).map(({ answers, state }) => ({
      answers,
      lacking: without(state, got.state),
      added: without(got.state, state),
    })),
  };
}
