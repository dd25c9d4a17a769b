import { DurableObject } from 'cloudflare:workers';
import { now } from '../../kernel/core/clock.ts';
import { log } from '../../kernel/core/log.ts';
import { checkPassword, hashPassword } from '../../kernel/crypto/password.ts';
import { database } from '../../kernel/data/database.ts';
import { tenantObject } from '../../kernel/data/jurisdiction.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { errorFields } from '../../kernel/observe/error-fields.ts';
import { customerByEmail, replacePassword } from '../store.ts';
import { RETRY_DELAY_MS } from './backoff.ts';
import {
  afterFailure,
  afterSuccess,
  bucketOf,
  delayOf,
  EMPTY_STATE,
  type GuardState,
  isDevice,
  prune,
  remember,
  type Source,
} from './known-sources.ts';

/** The most attempts of one bucket that can wait in line. */
const MAX_PENDING_ATTEMPTS = 10;

/** A login attempt, or a request to hash a password. */
export interface Attempt extends Source {
  readonly tenantId: number;
  readonly email: string;
  readonly password: string;
  /** SHA-256 of the token of the session that a correct password opens; null when it opens none. */
  readonly session: string | null;
  /** The plan's registrations per minute. */
  readonly registrations: number;
}

/** The outcome of an attempt. `retryIn` is in ms. */
export type Outcome<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly reason: 'wrong' | 'taken' | 'unavailable' }
  | { readonly ok: false; readonly reason: 'too_fast'; readonly retryIn: number };

/** The account of a correct password, and its stored hash after a possible upgrade. */
export interface Verified {
  readonly id: number;
  readonly password: string;
}

const refused = (reason: 'wrong' | 'taken' | 'unavailable') => ({ ok: false, reason }) as const;

/**
 * Guards the password of one e-mail, with or without an account. Attempts run one at a time, with growing delays
 * after failures; an unknown e-mail costs the same work as a wrong password. Networks and devices with an earlier
 * login are counted separately, so that other sources' failures never delay them.
 * Named `<tenant id>:<sha-256 of the e-mail>`.
 */
export class LoginGuard extends DurableObject<Env> {
  private turn: Promise<unknown> = Promise.resolve();
  private state: GuardState = this.ctx.storage.kv.get<GuardState>('memory') ?? EMPTY_STATE;
  private readonly pending = new Map<string | null, number>();

  /** Checks a password. A correct one clears its bucket's failures and upgrades an outdated hash. */
  verify(attempt: Attempt): Promise<Outcome<Verified>> {
    // The alarm may be late, so expired entries are removed here as well.
    this.state = prune(this.state, now()).state;
    const bucket = bucketOf(this.state, attempt);
    return this.inTurn(bucket, async () => {
      const { tenantId, email, password } = attempt;
      const retryIn = delayOf(this.state, bucket, now());
      if (retryIn > 0) return { ok: false, reason: 'too_fast', retryIn };
      const tenant = this.databaseOf(tenantId);
      const found = await customerByEmail(tenant, email);
      return this.throughGate(attempt, { known: isDevice(bucket) }, async () => {
        const { right, stale } = checkPassword(this.env, password, found?.password ?? null);
        if (!right || !found) {
          this.persist(afterFailure(this.state, bucket, now()));
          return refused('wrong');
        }
        const { network, session, device } = attempt;
        this.persist(
          remember(afterSuccess(this.state, bucket), { network, device: session ?? device }, now()),
        );
        if (!stale) return { ok: true, value: { id: found.id, password: found.password } };
        const fresh = hashPassword(this.env, password);
        await replacePassword(tenant, found.id, { stale: found.password, fresh });
        return { ok: true, value: { id: found.id, password: fresh } };
      });
    });
  }

  /** Hashes the password of a new account; `taken` when the e-mail has an account. */
  enroll(attempt: Attempt): Promise<Outcome<string>> {
    return this.safely(() =>
      this.throughGate(attempt, { registers: true }, async () => {
        const found = await customerByEmail(this.databaseOf(attempt.tenantId), attempt.email);
        return found ? refused('taken') : { ok: true, value: hashPassword(this.env, attempt.password) };
      }),
    );
  }

  /** Hashes a new password for a caller who is already authorized to set it. */
  hash(attempt: Attempt): Promise<Outcome<string>> {
    return this.safely(() =>
      this.throughGate(attempt, { known: true }, async () => ({
        ok: true,
        value: hashPassword(this.env, attempt.password),
      })),
    );
  }

  /** Resets the state to know only this source, after a registration or a new password or e-mail. */
  startAnew({ network, device }: Source): void {
    this.persist(remember(EMPTY_STATE, { network, device }, now()));
  }

  /** Deletes all state, when the account is erased or its e-mail has changed. */
  async forget(): Promise<void> {
    this.state = EMPTY_STATE;
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
  }

  /** Removes expired entries. */
  override async alarm(): Promise<void> {
    const { state, next } = prune(this.state, now());
    if (next === null) await this.forget();
    else this.persist(state);
  }

  private databaseOf(tenantId: number): TenantDatabase {
    return { db: database(this.env, tenantId), tenantId };
  }

  /** Persists a changed state, and sets the alarm for its next expiry. */
  private persist(state: GuardState): void {
    if (state === this.state) return;
    this.state = state;
    this.ctx.storage.kv.put('memory', state);
    const { next } = prune(state, now());
    if (next !== null) void this.ctx.storage.setAlarm(next);
  }

  /** Runs the work in one of the tenant's hashing slots. A failure is charged to the shopper's network. */
  private async throughGate<Value>(
    { tenantId, network, registrations }: Attempt,
    { known = false, registers = false }: { known?: boolean; registers?: boolean },
    work: () => Promise<Outcome<Value>>,
  ): Promise<Outcome<Value>> {
    const gate = tenantObject(this.env.LOGIN_GATE, { tenantId });
    const entry = await gate.enter({ network, known, registrations: registers ? registrations : null });
    if (!entry.ok) return { ok: false, reason: 'too_fast', retryIn: entry.retryIn };
    let succeeded = false;
    try {
      const outcome = await work();
      succeeded = outcome.ok;
      return outcome;
    } finally {
      // A slot that can't be returned is freed when its lease ends.
      await gate.leave(entry.ticket, succeeded).catch(() => undefined);
    }
  }

  private async inTurn<Value>(
    bucket: string | null,
    work: () => Promise<Outcome<Value>>,
  ): Promise<Outcome<Value>> {
    const before = this.pending.get(bucket) ?? 0;
    if (before >= MAX_PENDING_ATTEMPTS) return { ok: false, reason: 'too_fast', retryIn: RETRY_DELAY_MS };
    this.pending.set(bucket, before + 1);
    const queued = this.turn.then(() => this.safely(work));
    this.turn = queued;
    const outcome = await queued;
    const left = (this.pending.get(bucket) ?? 1) - 1;
    if (left > 0) this.pending.set(bucket, left);
    else this.pending.delete(bucket);
    return outcome;
  }

  /** Runs work without throwing: the platform logs exceptions, and a failed query's message contains an e-mail. */
  private safely<Value>(work: () => Promise<Outcome<Value>>): Promise<Outcome<Value>> {
    return work().catch((error) => {
      log('login_guard_failed', errorFields(error));
      return refused('unavailable');
    });
  }
}
