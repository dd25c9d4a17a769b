import { DurableObject } from 'cloudflare:workers';
import { DAY, now } from '../kernel/clock.ts';
import { database } from '../kernel/database.ts';
import { checkPassword, hashPassword } from '../kernel/password.ts';
import { waitAfter } from './pace.ts';
import { byEmail, findCustomer, replacePassword } from './store.ts';

/** Wrong guesses are forgotten this long (ms) after the last one. */
const MEMORY = DAY;

/** Who tries what, from where: `address` is a digest of the shopper's address. */
export interface Attempt {
  readonly tenantId: number;
  readonly email: string;
  readonly password: string;
  readonly address: string;
}

/** What an attempt came to, or why not: `too_fast` says in how many ms to come again. */
export type Outcome<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly reason: 'wrong' | 'taken' | 'unavailable' }
  | { readonly ok: false; readonly reason: 'too_fast'; readonly retryIn: number };

/** Whose account a right guess opened, and the hash that was found or put there. */
export interface Verified {
  readonly id: number;
  readonly password: string;
}

const refused = (reason: 'wrong' | 'taken' | 'unavailable') => ({ ok: false, reason }) as const;

/**
 * The passwords of one account, which need not exist: guesses come one after the other, ever slower while they
 * are wrong, and an e-mail without an account takes the same work as a wrong password.
 * Named `<tenant id>:<sha-256 of the e-mail>`.
 */
export class LoginGuard extends DurableObject<Env> {
  private turn: Promise<unknown> = Promise.resolve();

  /** Checks a password; a right one resets the pace, and is hashed anew when its hash is out of date. */
  verify(attempt: Attempt): Promise<Outcome<Verified>> {
    return this.inTurn(async () => {
      const { tenantId, email, password } = attempt;
      const retryIn = this.wait();
      if (retryIn > 0) return { ok: false, reason: 'too_fast', retryIn };
      const db = database(this.env);
      const found = await findCustomer(db, byEmail(tenantId, email));
      return this.throughGate(attempt, async () => {
        const { right, stale } = checkPassword(this.env, password, found?.password ?? null);
        if (!right || !found) {
          await this.noteWrong();
          return refused('wrong');
        }
        await this.forgive();
        if (!stale) return { ok: true, value: { id: found.id, password: found.password } };
        const fresh = hashPassword(this.env, password);
        await replacePassword(db, tenantId, found.id, found.password, fresh);
        return { ok: true, value: { id: found.id, password: fresh } };
      });
    });
  }

  /** Hashes the password of a new account; `taken` when the e-mail has one. */
  enroll(attempt: Attempt): Promise<Outcome<string>> {
    return this.safely(() =>
      this.throughGate(attempt, async () => {
        const found = await findCustomer(database(this.env), byEmail(attempt.tenantId, attempt.email));
        return found ? refused('taken') : { ok: true, value: hashPassword(this.env, attempt.password) };
      }),
    );
  }

  /** Hashes a new password of somebody who may set it. */
  hash(attempt: Attempt): Promise<Outcome<string>> {
    return this.safely(() =>
      this.throughGate(attempt, async () => ({
        ok: true,
        value: hashPassword(this.env, attempt.password),
      })),
    );
  }

  /** Forgets the wrong guesses: the account has proved itself. */
  async forgive(): Promise<void> {
    if (this.wrong() === null) return;
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
  }

  /** A day without a wrong guess: forgets them. */
  override async alarm(): Promise<void> {
    await this.ctx.storage.deleteAll();
  }

  private wrong(): { count: number; at: number } | null {
    return this.ctx.storage.kv.get<{ count: number; at: number }>('wrong') ?? null;
  }

  private wait(): number {
    const wrong = this.wrong();
    return wrong ? wrong.at + waitAfter(wrong.count) - now() : 0;
  }

  private async noteWrong(): Promise<void> {
    this.ctx.storage.kv.put('wrong', { count: (this.wrong()?.count ?? 0) + 1, at: now() });
    await this.ctx.storage.setAlarm(now() + MEMORY);
  }

  /** Does the work in one of the tenant's places for it. A refusal is charged to the shopper's address. */
  private async throughGate<Value>(
    { tenantId, address }: Attempt,
    work: () => Promise<Outcome<Value>>,
  ): Promise<Outcome<Value>> {
    const gate = this.env.LOGIN_GATE.getByName(String(tenantId));
    const entry = await gate.enter(address);
    if (!entry.ok) return { ok: false, reason: 'too_fast', retryIn: entry.retryIn };
    let right = false;
    try {
      const outcome = await work();
      right = outcome.ok;
      return outcome;
    } finally {
      // A place that can't be given back is free again after seconds.
      await gate.leave(entry.ticket, right).catch(() => undefined);
    }
  }

  private inTurn<Value>(work: () => Promise<Outcome<Value>>): Promise<Outcome<Value>> {
    const mine = this.turn.then(() => this.safely(work));
    this.turn = mine;
    return mine;
  }

  /** The platform logs what an object throws, and a failed query's message holds an e-mail: nothing is thrown. */
  private safely<Value>(work: () => Promise<Outcome<Value>>): Promise<Outcome<Value>> {
    return work().catch((error) => {
      const name = error instanceof Error ? error.name : '';
      console.error(JSON.stringify({ event: 'login_guard_failed', name }));
      return refused('unavailable');
    });
  }
}
