import { DurableObject } from 'cloudflare:workers';
import { DAY, isRecent, MINUTE, now } from '../../kernel/core/clock.ts';
import { errorName, log } from '../../kernel/core/log.ts';
import { type PlacedDatabase, placedDatabase } from '../../kernel/data/tenant-context.ts';
import { backgroundWork } from '../../tenants/index.ts';
import { countItems, nextDocuments, readTree } from './changes/index.ts';
import type { IndexCall, IndexedPage, IndexRefusal, RowsAt } from './index-call.ts';
import { IndexMemory } from './index-memory.ts';
import { readChangesAndRows, rowsOfPage } from './likely-rows.ts';
import {
  MAX_BEHIND_MS,
  MAX_BUILD_PAUSE_MS,
  MAX_IDLE_MS,
  MAX_INDEX_BYTES,
  MAX_PENDING,
  MIN_INDEXED_ITEMS,
  NO_MEMORY_PAUSE_MS,
  PRODUCTS_PER_READ,
  READ_INTERVAL_MS,
  READS_PER_ALARM,
  READS_PER_QUESTION,
  SEGMENTS_PER_ALARM,
  SMALL_FOR_MS,
  STORE_DELAY_MS,
  TOO_LARGE_RETRY_MS,
} from './limits.ts';
import { answerQuestion } from './questions/index.ts';
import { IndexContent, type IndexState, IndexStorage, type StoredChanges } from './segments/index.ts';

/**
 * Filters, sorts and counts the products of one tenant in memory. Reads the changes from D1 when a question requires a
 * newer catalogue version; may be deleted and rebuilt at any time. Named by the tenant's id.
 */
export class ListIndex extends DurableObject<Env> {
  /** Lowered by tests, which index small tenants. */
  minItems = MIN_INDEXED_ITEMS;
  maxBytes = MAX_INDEX_BYTES;
  private readonly kept = new IndexStorage(this.ctx.storage);
  private state: IndexState | null = this.kept.state();
  private readonly memory = new IndexMemory();
  /** When the changes in memory were read, and whether the tree in memory has changed since it was stored. */
  private readAt = this.state?.readAt ?? 0;
  private treeChanged = false;
  /** Reads of the database, and what follows from them, run one after the other. */
  private working: Promise<unknown> = Promise.resolve();
  private smallUntil = 0;
  private alarmAt: number | null = null;

  /** Returns a list at the required version or a newer one, or why there is none. */
  async ask(call: IndexCall): Promise<IndexedPage | IndexRefusal> {
    const prepared = await this.prepare(call);
    const content = this.memory.use();
    if (typeof prepared === 'string') return prepared;
    if (!content || content.version === null) return 'behind';
    if (call.question.text && !content.texts) return 'no_texts';
    const answer = { version: content.version, ...answerQuestion(content, call.question) };
    const rows = prepared?.version === answer.version ? rowsOfPage(prepared.rows, answer.page) : null;
    return { ...answer, rows };
  }

  /** Deletes the index. The next question builds it anew. */
  reset(): Promise<void> {
    return this.alone(() => this.delete());
  }

  /** Continues a build, or stores changes. Idempotent. Never rejects: the runtime gives up after six retries. */
  override alarm(): Promise<void> {
    this.alarmAt = null;
    return this.alone(() => this.work()).catch((error: unknown) => {
      log('list_index_stopped', { tenant: this.state?.tenantId, name: errorName(error) });
      return this.wake(MINUTE);
    });
  }

  /** Brings the index to a version. Returns why it isn't at it, or the rows that were read with the changes. */
  private async prepare(call: IndexCall): Promise<IndexRefusal | RowsAt | null> {
    if (!this.state) return this.alone(() => this.begin(call.tenantId));
    if (this.state.phase.name === 'too_large') return 'too_large';
    if (this.state.phase.name === 'building') {
      await this.wake(MAX_BUILD_PAUSE_MS);
      return 'building';
    }
    if (now() - this.kept.askedAt() > DAY) this.kept.noteAsked(now());
    const isReached = () => call.atLeast !== null && (this.memory.content?.version ?? 0) >= call.atLeast;
    if (isReached()) return null;
    // Another question may have read the changes meanwhile.
    return this.alone(async () => (isReached() ? null : this.catchUp(READS_PER_QUESTION, call)));
  }

  /** Runs `work` after all earlier work, whether that failed or not. */
  private alone<T>(work: () => Promise<T>): Promise<T> {
    const done = this.working.then(() => this.memory.whilePinned(work));
    this.working = done.catch(() => undefined);
    return done;
  }

  /** Begins to build the index, unless the tenant has few products and variants. */
  private async begin(tenantId: number): Promise<IndexRefusal> {
    if (this.state) return 'building';
    if (now() < this.smallUntil) return 'small';
    const ctx = await placedDatabase(this.env, tenantId);
    if ((await countItems(ctx)) < this.minItems) {
      this.smallUntil = now() + SMALL_FOR_MS;
      return 'small';
    }
    await this.beginAt(ctx, true);
    return 'building';
  }

  /** Stores the first state of a build, with or without texts. */
  private async beginAt(ctx: PlacedDatabase, texts: boolean): Promise<void> {
    const { position, categories } = await readTree(ctx);
    const { tenantId, shard } = ctx;
    const phase = { name: 'building', after: 0 } as const;
    this.save({ tenantId, shard, texts, position, readAt: now(), phase }, { categories });
    this.kept.noteAsked(now());
    await this.wake(0);
  }

  private async work(): Promise<void> {
    const { state } = this;
    if (!state) return;
    const { phase } = state;
    if (phase.name === 'building') await this.build(state, phase.after);
    else if (phase.name === 'too_large' || now() - this.kept.askedAt() > MAX_IDLE_MS) await this.delete();
    else if ((await this.catchUp(READS_PER_ALARM)) !== 'building') await this.store();
  }

  /** Adds the next products, ordered by id. */
  private async build(state: IndexState, from: number): Promise<void> {
    const content = this.loaded(state);
    if (!content) return this.wake(NO_MEMORY_PAUSE_MS);
    const work = backgroundWork({ env: this.env, ctx: this.ctx }, state.tenantId);
    const ctx = await placedDatabase(work.ctx.env, state.tenantId);
    if (ctx.shard !== state.shard) return this.delete();
    let [after, done] = [from, false];
    for (let reads = 0; reads < READS_PER_ALARM && !done; reads++) {
      const products = await nextDocuments(ctx, after, PRODUCTS_PER_READ);
      content.add(products);
      after = products.at(-1)?.id ?? after;
      done = products.length === 0;
    }
    const segments = content.merge(Number.POSITIVE_INFINITY);
    if (content.isTooLarge(segments, this.maxBytes)) return this.giveUp(state);
    this.save({ ...state, phase: done ? { name: 'ready' } : { name: 'building', after } }, { segments });
    await this.wake(await work.charge());
  }

  /**
   * Reads the changes, a bounded number of them, and with the first of them the rows that a question is likely to need.
   * Returns why the index is not at the newest version, or these rows.
   */
  private async catchUp(reads: number, call?: IndexCall): Promise<IndexRefusal | RowsAt | null> {
    const { state } = this;
    if (state?.phase.name !== 'ready') return 'building';
    const content = this.loaded(state);
    if (!content) return 'no_memory';
    const ctx = await placedDatabase(this.env, state.tenantId);
    const isUsable = ctx.shard === state.shard && isRecent(this.readAt, MAX_BEHIND_MS);
    const read = isUsable ? await this.readChanges(ctx, content, { reads, call }) : 'unusable';
    if (read === 'unusable') {
      await this.delete();
      return 'building';
    }
    const isUrgent = content.version === null || content.pending > MAX_PENDING;
    if (isUrgent || content.pending > 0) await this.wake(isUrgent ? 0 : STORE_DELAY_MS);
    return content.version === null ? 'behind' : read;
  }

  /** Takes changes into the content, at least once. Returns the rows read beside them, or that the database went back. */
  private async readChanges(
    ctx: PlacedDatabase,
    content: IndexContent,
    { reads, call }: { readonly reads: number; readonly call: IndexCall | undefined },
  ): Promise<RowsAt | null | 'unusable'> {
    let rows: RowsAt | null = null;
    for (let n = 0; n < reads && (n === 0 || content.version === null); n++) {
      const read = await readChangesAndRows(ctx, content, n === 0 ? call : undefined);
      rows ??= read.rows;
      if (read.changes.wentBack) return 'unusable';
      content.take(read.changes);
      this.treeChanged ||= read.changes.categoryIds.length > 0;
      this.readAt = now();
    }
    return rows;
  }

  /** Stores what has changed in memory, a bounded part at a time. */
  private async store(): Promise<void> {
    const { state } = this;
    const { content } = this.memory;
    if (!state) return;
    if (!content) return this.wake(NO_MEMORY_PAUSE_MS);
    const segments = content.merge(SEGMENTS_PER_ALARM);
    if (content.isTooLarge(segments, this.maxBytes)) return this.giveUp(state);
    const isStored = content.pending === 0;
    this.save(isStored ? { ...state, position: content.position, readAt: this.readAt } : state, {
      segments,
      ...(this.treeChanged && { categories: content.tree.all() }),
    });
    this.treeChanged = false;
    await this.wake(isStored && content.version !== null ? READ_INTERVAL_MS : 0);
  }

  private save(reached: IndexState, changed: StoredChanges): void {
    const state = { ...reached, bytes: this.memory.content?.bytes ?? 0 };
    try {
      this.kept.save(state, changed);
    } catch (error) {
      // The merge in memory was not stored, so the next run starts from the stored content.
      this.memory.content = null;
      throw error;
    }
    this.state = state;
    this.readAt = Math.max(this.readAt, state.readAt);
  }

  /** Rebuilds the index without texts; if it is still too large, stops indexing the tenant for a while. */
  private async giveUp(state: IndexState): Promise<void> {
    log('list_index_too_large', { tenant: state.tenantId });
    await this.delete();
    if (state.texts) return this.beginAt(await placedDatabase(this.env, state.tenantId), false);
    this.save({ ...state, phase: { name: 'too_large' } }, {});
    await this.wake(TOO_LARGE_RETRY_MS);
  }

  private async delete(): Promise<void> {
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
    this.alarmAt = null;
    this.state = null;
    this.memory.content = null;
    this.treeChanged = false;
  }

  /** Returns the content, from storage if it isn't in memory; null if other tenants' indexes use up the memory. */
  private loaded(state: IndexState): IndexContent | null {
    return this.memory.take(state.bytes ?? MAX_INDEX_BYTES, () => {
      this.readAt = state.readAt;
      this.treeChanged = false;
      return new IndexContent(this.kept.content(state));
    });
  }

  /** Sets the alarm in `ms` unless it is set earlier. */
  private async wake(ms: number): Promise<void> {
    const at = now() + ms;
    // An evicted instance has left its alarm; another call may set one meanwhile.
    const left = this.alarmAt ?? (await this.ctx.storage.getAlarm());
    this.alarmAt ??= left;
    if (this.alarmAt !== null && this.alarmAt <= at) return;
    this.alarmAt = at;
    // Results don't wait until the alarm is on disk: the next question sets a lost one again.
    await this.ctx.storage.setAlarm(at, { allowUnconfirmed: true });
  }
}
