import { z } from 'zod';
import { listShards, placementOf } from '../../kernel/shards/placements.ts';
import { shardNames } from '../../kernel/shards/shard-names.ts';
import { groupDigits } from '../../kernel/text/text.ts';
import { MoveList, TenantMove } from '../../moves/index.ts';
import {
  asFormError,
  Choice,
  type FormError,
  getPage,
  type Outcome,
  type Page,
  type PageRequest,
  State,
  Table,
  When,
} from '../../web/index.ts';
import { confirmPages } from '../confirm.tsx';
import { countOf } from '../count-of.ts';
import { at } from './at.ts';
import { trailOf } from './new-tenant.tsx';

type Move = z.output<typeof TenantMove>;

const slugOf = (request: PageRequest): string => request.param('slug');
const api = (slug: string): string => `/admin/v1/tenants/${encodeURIComponent(slug)}/moves`;
const page = (slug: string): string => `/admin/tenants/${slug}/moves`;

/** Seconds after which the page of a move under way shows its progress anew. */
const REFRESH_S = 5;

const isRunning = ({ switched_at, ended_at }: Move): boolean => switched_at === null && ended_at === null;

function Action({ slug, move }: { slug: string; move: Move }) {
  const of = `${page(slug)}/${move.id}`;
  if (isRunning(move) && move.state !== 'cancelling') return <a href={`${of}/cancel`}>Cancel</a>;
  return move.undoable_until === null ? '' : <a href={`${of}/undo`}>Undo</a>;
}

const movesPage = async (request: PageRequest) => {
  const slug = slugOf(request);
  const [placement, listed] = await Promise.all([
    placementOf(request.env, slug),
    request.platform('/', { path: api(slug), answer: MoveList }),
  ]);
  if (!listed.ok) return listed;
  const moves = listed.value.data;
  const isAlone = shardNames(request.env).length === 1;
  const body = (
    <>
      <p>
        The tenant's rows are on {placement?.shard ?? 'no shard'}. A move copies them while the shop serves,
        and holds its writes for at most two seconds.
      </p>
      {isAlone && (
        <p class="hint">
          This deployment has no other shard. One is added by binding its two databases, as the operator's
          guide to deploying says.
        </p>
      )}
      <Moves slug={slug} moves={moves} />
    </>
  );
  return {
    title: 'Moves between shards',
    trail: trailOf(slug),
    body,
    ...(moves.some(isRunning) && { refresh: REFRESH_S }),
    ...(!moves.some(isRunning) &&
      !isAlone && { action: [`${page(slug)}/start`, 'Move the tenant'] as const }),
  };
};

const Moves = ({ slug, moves }: { slug: string; moves: readonly Move[] }) => (
  <Table
    label="Moves"
    head={['Started', 'From and to', 'State', 'Rows', 'Action']}
    rows={moves.map((move) => [
      <When at={move.created_at} />,
      `${move.source} to ${move.target}`,
      <div>
        <State is={move.state} /> {move.switched_at !== null && <When at={move.switched_at} />}
        {move.problem !== null && <div class="hint">{PROBLEMS[move.problem]}</div>}
      </div>,
      <Rows {...move.progress} />,
      <Action slug={slug} move={move} />,
    ])}
    empty={<p>The tenant has not moved in the last 90 days.</p>}
  />
);

/** What is in the way of a switch, in words, and what the operator can do. */
const PROBLEMS: Readonly<Record<NonNullable<Move['problem']>, string>> = {
  busy: 'It writes too much to be switched. Move it in a quieter hour.',
  differs: 'The copies differed. The log has the reason.',
};

/** What has been done with the rows: `1,784 copied`, `3 copied again`, `1,784 compared`. */
const Rows = ({ copied_rows, changed_rows, compared_rows }: Move['progress']) => (
  <>
    <div class="together">{groupDigits(copied_rows)} copied</div>
    {changed_rows > 0 && <div class="together">{groupDigits(changed_rows)} copied again</div>}
    <div class="together">{groupDigits(compared_rows)} compared</div>
  </>
);

const StartForm = z.object({ shard: z.string() });

const startQuestion = async (request: PageRequest, formError: FormError | null) => {
  const slug = slugOf(request);
  const [placement, shards] = await Promise.all([placementOf(request.env, slug), listShards(request.env)]);
  if (placement?.state !== 'placed') return asFormError('Tenant not found.', 404);
  const options = shards
    .filter(({ name }) => name !== placement.shard)
    .map(({ name, tenants }) => [name, `${name} (${countOf(tenants, 'tenant')})`] as const);
  const f = { request, formError };
  return {
    title: `Move ${slug} to another shard?`,
    trail: [...trailOf(slug), [page(slug), 'Moves']] as const,
    body: (
      <p>
        Its rows are copied in the background. Then its writes are held for at most two seconds, and the shop
        is served from the other shard. For a day it can be undone.
      </p>
    ),
    fields: <Choice f={f} name="shard" label="Shard" options={options} value={options[0]?.[0] ?? ''} />,
    submit: 'Move tenant',
    keep: [page(slug), 'Leave it where it is'] as const,
  };
};

async function start(request: PageRequest, body: z.output<typeof StartForm>): Promise<Outcome> {
  const slug = slugOf(request);
  const made = await request.platform('/', { method: 'POST', path: api(slug), body, answer: TenantMove });
  return made.ok ? { to: page(slug), note: 'created' } : made;
}

/** Returns the path in the API of the move that a page is about. */
const pathOf = (request: PageRequest): string =>
  `${api(slugOf(request))}/${encodeURIComponent(request.param('id'))}`;

/** Returns the question about one move, and what does it. */
const about = (
  action: 'cancel' | 'undo',
  { title, text, submit, keep }: { title: string; text: string; submit: string; keep: string },
) => ({
  ask: async (request: PageRequest) => {
    const slug = slugOf(request);
    const move = await request.platform('/', { path: pathOf(request), answer: TenantMove });
    if (!move.ok) return move;
    return {
      title,
      trail: [...trailOf(slug), [page(slug), 'Moves']] as const,
      body: <p>{text}</p>,
      submit,
      keep: [page(slug), keep] as const,
    };
  },
  act: async (request: PageRequest): Promise<Outcome> => {
    const path = `${pathOf(request)}/${action}`;
    const done = await request.platform('/', { method: 'POST', path, answer: TenantMove });
    return done.ok ? { to: page(slugOf(request)), note: 'saved' } : done;
  },
});

const cancel = about('cancel', {
  title: 'Cancel the move?',
  text: 'The tenant stays where it is. The rows that were copied are deleted.',
  submit: 'Cancel move',
  keep: 'Go on with the move',
});

const undo = about('undo', {
  title: 'Undo the move?',
  text: 'The tenant moves back with everything that was written since. Its rows are copied again, and its writes are held for at most two seconds.',
  submit: 'Move back',
  keep: 'Leave it where it is',
});

/** The page of a tenant's moves between shards, and the pages that start, cancel and undo one. */
export const movePages: readonly Page[] = [
  getPage(at('/admin/tenants/:slug/moves'), movesPage),
  ...confirmPages({ ...at('/admin/tenants/:slug/moves/start'), form: StartForm }, startQuestion, start),
  ...confirmPages(at('/admin/tenants/:slug/moves/:id/cancel'), cancel.ask, cancel.act),
  ...confirmPages(at('/admin/tenants/:slug/moves/:id/undo'), undo.ask, undo.act),
];
