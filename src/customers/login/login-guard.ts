import { DurableObject } from 'cloudflare:workers';
import { now } from '../../kernel/core/clock.ts';
import { checkPassword, hashPassword } from '../../kernel/crypto/password.ts';
import { database } from '../../kernel/data/database.ts';
import { byEmail, findCustomer, replacePassword } from '../store.ts';
import {
  afterRight,
  afterWrong,
  bucketOf,
  isDevice,
  type Memory,
  NOTHING,
  prune,
  remember,
  type Source,
  waitOf,
} from './known-sources.ts';

/** So many guesses of one bucket wait for their turn; more are told to come again. */
const MAX_PENDING = 10;
const RETRY_MS = 1_000;

/** Who tries what, from where. */
export interface Attempt extends Source {
  readonly tenantId: number;
  readonly email: string;
  readonly password: string;
  /** SHA-256 of the token of the session that a right password opens; null when it opens none. */
  readonly session: string | null;
  /** How many registrations a minute the tenant's plan allows. */
  readonly registrations: number;
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
 * are wrong, and an e-mail without an account takes the same work as a wrong password. Networks and devices
 * that signed in before have a pace of their own, so that strangers' guesses never hold them up.
 * Named `<tenant id>:<sha-256 of the e-mail>`.
 */
export class LoginGuard extends DurableObject<Env> {
  private turn: Promise<unknown> = Promise.resolve();
  private memory: Memory = this.ctx.storage.kv.get<Memory>('memory') ?? NOTHING;
  private readonly pending = new Map<string | null, number>();

  /** Checks a password; a right one resets its bucket's pace, and is hashed anew when its hash is out of date. */
  verify(attempt: Attempt): Promise<Outcome<Verified>> {
    // The alarm may be late: what has ended counts no more.
    this.memory = prune(this.memory, now()).memory;
    const bucket = bucketOf(this.memory, attempt);
    return this.inTurn(bucket, async () => {
      const { tenantId, email, password } = attempt;
      const retryIn = waitOf(this.memory, bucket, now());
      if (retryIn > 0) return { ok: false, reason: 'too_fast', retryIn };
      const db = database(this.env);
      const found = await findCustomer(db, byEmail(tenantId, email));
      return this.throughGate(attempt, { known: isDevice(bucket) }, async () => {
        const { right, stale } = checkPassword(this.env, password, found?.password ?? null);
        if (!right || !found) {
          this.keep(afterWrong(this.memory, bucket, now()));
          return refused('wrong');
        }
        const { network, session, device } = attempt;
        this.keep(remember(afterRight(this.memory, bucket), { network, device: session ?? device }, now()));
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
      this.throughGate(attempt, { registers: true }, async () => {
        const found = await findCustomer(database(this.env), byEmail(attempt.tenantId, attempt.email));
        return found ? refused('taken') : { ok: true, value: hashPassword(this.env, attempt.password) };
      }),
    );
  }

  /** Hashes a new password of somebody who may set it. */
  hash(attempt: Attempt): Promise<Outcome<string>> {
    return this.safely(() =>
      this.throughGate(attempt, { known: true }, async () => ({
        ok: true,
        value: hashPassword(this.env, attempt.password),
      })),
    );
  }

  /** Forgets everything but where the account was just opened from: it has a new owner, password or e-mail. */
  startAnew({ network, device }: Source): void {
    this.keep(remember(NOTHING, { network, device }, now()));
  }

  /** Forgets everything: the account is erased, or has another e-mail. */
  async forget(): Promise<void> {
    this.memory = NOTHING;
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
  }

  /** Forgets what has come to its end. */
  override async alarm(): Promise<void> {
    const { memory, next } = prune(this.memory, now());
    if (next === null) await this.forget();
    else this.keep(memory);
  }

  /** Writes a memory that differs, with the alarm of its next end. */
  private keep(memory: Memory): void {
    if (memory === this.memory) return;
    this.memory = memory;
    this.ctx.storage.kv.put('memory', memory);
    const { next } = prune(memory, now());
    if (next !== null) void this.ctx.storage.setAlarm(next);
  }

  /** Does the work in one of the tenant's places for it. A refusal is charged to the shopper's network. */
  private async throughGate<Value>(
    { tenantId, network, registrations }: Attempt,
    { known = false, registers = false }: { known?: boolean; registers?: boolean },
    work: () => Promise<Outcome<Value>>,
  ): Promise<Outcome<Value>> {
    const gate = this.env.LOGIN_GATE.getByName(String(tenantId));
    const entry = await gate.enter({ network, known, registrations: registers ? registrations : null });
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

  private async inTurn<Value>(
    bucket: string | null,
    work: () => Promise<Outcome<Value>>,
  ): Promise<Outcome<Value>> {
    const before = this.pending.get(bucket) ?? 0;
    if (before >= MAX_PENDING) return { ok: false, reason: 'too_fast', retryIn: RETRY_MS };
    this.pending.set(bucket, before + 1);
    const mine = this.turn.then(() => this.safely(work));
    this.turn = mine;
    const outcome = await mine;
    const left = (this.pending.get(bucket) ?? 1) - 1;
    if (left > 0) this.pending.set(bucket, left);
    else this.pending.delete(bucket);
    return outcome;
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
