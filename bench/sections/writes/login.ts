import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Finding, median, table } from '../../report.ts';
import { type Measured, service } from '../../worker.ts';
import { makeWorld, type Shop } from '../../world/world.ts';

const ACCOUNTS = 40;
/** So many guesses at one account cost no waiting. */
const FREE = 5;
const PAIRS = ACCOUNTS * FREE;
/** Shoppers who log in at once, each with an account of their own, and for how long (ms) they keep at it. */
const SHOPPERS = 16;
const CROWD_MS = 10_000;

/**
 * Guesses at accounts that there are and at as many that there are not, in turns, each from its own address;
 * then how many right logins of different people one tenant gets.
 */
export async function login(): Promise<Finding[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-login-'));
  const {
    shops: [shop],
  } = await makeWorld(folder, 0);
  const worker = await service(folder);
  try {
    for (let n = 0; n < ACCOUNTS; n++) await customer(worker, shop, 'register', 201, n, mail('known', n));
    const took = { known: [] as number[], unknown: [] as number[] };
    for (let n = 0; n < PAIRS; n++) {
      const pair = n % 2 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const);
      for (const kind of pair) {
        const begun = performance.now();
        await customer(worker, shop, 'login', 401, n, mail(kind, n % ACCOUNTS));
        took[kind].push(performance.now() - begun);
      }
    }
    const [known, unknown] = [median(took.known), median(took.unknown)];
    console.log(`\nA wrong guess, ${PAIRS} each in turns, medians`);
    table(['known e-mail, ms', 'unknown e-mail, ms'], [[known.toFixed(1), unknown.toFixed(1)]]);
    const apart = Math.abs(known / unknown - 1) * 100;
    return [
      {
        measure: 'login: known and unknown e-mail apart',
        reach: '≤ 5 %',
        figure: `${apart.toFixed(1)} %`,
        reached: apart <= 5,
      },
      await crowd(worker, shop),
    ];
  } finally {
    await worker.stop();
    rmSync(folder, { recursive: true });
  }
}

const mail = (kind: 'known' | 'unknown' | 'crowd', n: number): string => `${kind}-${n}@example.com`;

/** Right logins of different people at once: how many a second are let in, how many are refused. */
async function crowd(worker: Measured, shop: Shop): Promise<Finding> {
  for (let n = 0; n < SHOPPERS; n++) await customer(worker, shop, 'register', 201, n, mail('crowd', n));
  const counts = new Map<number, number>();
  const begun = performance.now();
  const shopper = async (n: number) => {
    while (performance.now() - begun < CROWD_MS) {
      const { status } = await post(worker, shop, 'login', n, { email: mail('crowd', n), password: RIGHT });
      counts.set(status, (counts.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: SHOPPERS }, (_, n) => shopper(n)));
  const seconds = (performance.now() - begun) / 1_000;
  const rate = (status: number) => ((counts.get(status) ?? 0) / seconds).toFixed(1);
  console.log(`\n${SHOPPERS} people of one tenant log in again and again`);
  table(['let in, a second', '429, a second'], [[rate(200), rate(429)]]);
  return {
    measure: `login: let in a second, ${SHOPPERS} people at once`,
    reach: 'no 429',
    figure: `${rate(200)} (429: ${rate(429)})`,
    reached: !counts.has(429),
  };
}

const RIGHT = 'the right one';

/** Registers, or guesses wrong; throws when the answer is another than expected. */
async function customer(
  worker: Measured,
  shop: Shop,
  what: 'register' | 'login',
  status: number,
  n: number,
  email: string,
): Promise<void> {
  const name = what === 'register' ? { name: 'Ada' } : {};
  const password = what === 'register' ? RIGHT : 'a wrong one';
  const answer = await post(worker, shop, what, n, { ...name, email, password });
  if (answer.status !== status) throw new Error(`${what} answered ${answer.status} ${answer.text}`);
}

async function post({ url }: Measured, { token }: Shop, what: string, n: number, body: object) {
  const answer = await fetch(new URL(`/v1/customers/${what}`, url), {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      'X-Buyer-IP': `10.0.${n >> 8}.${n & 255}`,
    },
    body: JSON.stringify(body),
  });
  return { status: answer.status, text: await answer.text() };
}
