import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Finding, median, table } from '../report.ts';
import { type Measured, service } from '../worker.ts';
import { makeWorld, type Shop } from '../world.ts';

const ACCOUNTS = 40;
/** So many guesses at one account cost no waiting. */
const FREE = 5;
const PAIRS = ACCOUNTS * FREE;

/** Guesses at accounts that there are and at as many that there are not, in turns, each from its own address. */
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
    ];
  } finally {
    await worker.stop();
    rmSync(folder, { recursive: true });
  }
}

const mail = (kind: 'known' | 'unknown', n: number): string => `${kind}-${n}@example.com`;

/** Registers, or guesses wrong; throws when the answer is another than expected. */
async function customer(
  { url }: Measured,
  { token }: Shop,
  what: 'register' | 'login',
  status: number,
  n: number,
  email: string,
): Promise<void> {
  const name = what === 'register' ? { name: 'Ada' } : {};
  const answer = await fetch(new URL(`/v1/customers/${what}`, url), {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      'X-Buyer-IP': `10.0.${n >> 8}.${n & 255}`,
    },
    body: JSON.stringify({ ...name, email, password: what === 'register' ? 'the right one' : 'a wrong one' }),
  });
  const text = await answer.text();
  if (answer.status !== status) throw new Error(`${what} answered ${answer.status} ${text}`);
}
