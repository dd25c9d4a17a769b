import { z } from 'zod';
import {
  ActionLink,
  allAnswers,
  clip,
  Empty,
  Facts,
  Form,
  type FormError,
  form,
  formPages,
  getPage,
  type Page,
  type PageRequest,
  pageAsked,
  pageOf,
  Section,
  State,
  Table,
  When,
} from '../../web/index.ts';
import { Deliveries } from '../../webhooks/index.ts';
import { commaSeparated } from '../comma-separated.ts';
import { EditedParts } from '../editing/save-edit.tsx';
import { PAUSE_REASONS } from '../pause-reasons.ts';
import { givenFilters } from '../search-form.tsx';
import { LOG_FILTERS, LOG_SHOWN, Log } from './deliveries.tsx';
import {
  apiPath,
  change,
  create,
  ping,
  replayOne,
  WEBHOOK_PARTS,
  WEBHOOKS_PATH,
} from './webhook-actions.tsx';
import { webhookQuestions } from './webhook-questions.tsx';
import { conditionPages } from './webhooks/condition-page.tsx';
import { Conditions } from './webhooks/conditions.tsx';
import { deliveryPages } from './webhooks/delivery-page.tsx';
import { findHook, type Hook, titleOf, WebhookList } from './webhooks/find-hook.ts';
import { Registration, WebhookFields } from './webhooks/webhook-form.tsx';

const PAGE_SIZE = 20;

/** The status, with the reason of an automatic pause. */
const HookStatus = ({ hook }: { hook: Hook }) => (
  <>
    <State is={hook.status} /> {hook.paused_reason && PAUSE_REASONS[hook.paused_reason]}
  </>
);

/** Names, each of which stays on its line. */
const Names = ({ of }: { readonly of: readonly string[] }) => (
  <span>{commaSeparated(of.map((name) => <span class="together">{name}</span>))}</span>
);

/** The page in a shop whose plan has no webhooks. */
const UNAVAILABLE = {
  title: 'Webhooks',
  body: (
    <Empty
      title="Your plan has no webhooks"
      text="A webhook sends changes of orders, products and stock to your server. The operator of the platform can change your plan."
    />
  ),
};

const listPage = async (request: PageRequest) => {
  const answer = await request.api({ path: '/v1/webhooks', answer: WebhookList });
  if (!answer.ok) return answer.formError.code === 'plan_not_allowed' ? UNAVAILABLE : answer;
  const page = pageAsked(request);
  const { shown, meta } = pageOf(answer.value.data, page, PAGE_SIZE);
  const body = (
    <>
      <Table
        label="Webhooks"
        head={['Webhook', 'Events', 'Status']}
        rows={shown.map((hook) => [
          <>
            <a href={`${WEBHOOKS_PATH}/${hook.id}`}>{clip(hook.description ?? hook.url)}</a>
            {hook.description !== null && <small class="hint"> {clip(hook.url, 60)}</small>}
          </>,
          <Names of={hook.events} />,
          <HookStatus hook={hook} />,
        ])}
        empty={
          <p>
            No webhooks yet. A webhook sends changes of orders, products and stock to your server.{' '}
            <ActionLink request={request} href="/developer/new-webhook">
              Register the first one
            </ActionLink>
          </p>
        }
        pages={{ meta, href: (to) => `${WEBHOOKS_PATH}?page=${to}` }}
      />
    </>
  );
  return { title: 'Webhooks', body, action: ['/developer/new-webhook', 'New webhook'] as const };
};

const trail = [[WEBHOOKS_PATH, 'Webhooks']] as const;

const newPage = async (request: PageRequest, formError: FormError | null) => ({
  title: 'New webhook',
  trail,
  body: (
    <Form request={request} action="/developer/new-webhook" submit="Register and show secret" unsaved>
      <WebhookFields f={{ request, formError }} known={null} />
    </Form>
  ),
});

/** What can be done with a webhook; nothing for a role that may change nothing. */
const Actions = ({ request, here }: { request: PageRequest; here: string }) =>
  request.may('post', `${here}/ping`) ? (
    <Section id="actions" title="Test, replay and secret">
      <div class="actions">
        <Form request={request} action={`${here}/ping`} submit="Send a test event" quiet />
        <ActionLink request={request} href={`${here}/replay`} class="button quiet">
          Replay a time range
        </ActionLink>
        <ActionLink request={request} href={`${here}/rotate-secret`} class="button quiet">
          Rotate secret
        </ActionLink>
        <ActionLink request={request} href={`${here}/delete`} class="button danger quiet">
          Delete webhook
        </ActionLink>
      </div>
    </Section>
  ) : null;

const About = ({ hook }: { readonly hook: Hook }) => (
  <Facts
    of={{
      Status: <HookStatus hook={hook} />,
      Secret: <code>{hook.secret_preview}</code>,
      URL: clip(hook.url, 200),
      Events: <Names of={hook.events} />,
      Order: hook.ordered ? 'each resource’s events one after the other' : 'as they come',
      Registered: <When at={hook.created_at} />,
    }}
  />
);

const onePage = async (request: PageRequest) => {
  const filters = givenFilters(request, LOG_FILTERS);
  const asked = new URLSearchParams({
    limit: String(LOG_SHOWN),
    page: request.query('page') || '1',
    ...filters,
  });
  const read = await allAnswers({
    hook: findHook(request),
    sent: request.api({ path: `${apiPath(request)}/deliveries?${asked}`, answer: Deliveries }),
  });
  if (!read.ok) return read;
  const { hook, sent } = read.value;
  const here = `${WEBHOOKS_PATH}/${hook.id}`;
  const body = (
    <>
      <About hook={hook} />
      <Log request={request} here={here} events={hook.events} sent={sent} filters={filters} />
      <Conditions request={request} here={here} hook={hook} />
      <Actions request={request} here={here} />
    </>
  );
  return { title: titleOf(hook), trail, body, action: [`${here}/edit`, 'Edit webhook'] as const };
};

const editPage = async (request: PageRequest, formError: FormError | null) => {
  const found = await findHook(request);
  if (!found.ok) return found;
  const hook = found.value;
  const here = `${WEBHOOKS_PATH}/${hook.id}`;
  const f = { request, formError };
  return {
    title: 'Edit webhook',
    trail: [...trail, [here, titleOf(hook)] as const],
    body: (
      <Form request={request} action={`${here}/edit`} submit="Save" unsaved>
        <EditedParts f={f} parts={WEBHOOK_PARTS} stored={hook} />
        <WebhookFields f={f} known={hook} />
      </Form>
    ),
  };
};

const at = (path: string) => ({ path: `/developer${path}`, audience: 'developer' }) as const;
const emptyForm = z.object({});

/** The pages that manage webhooks, show deliveries and replay events. */
export const webhookPages: readonly Page[] = [
  getPage(at('/webhooks'), listPage),
  ...formPages({ ...at('/new-webhook'), needs: 'owner', form: Registration }, newPage, create),
  getPage(at('/webhooks/:id'), onePage),
  ...formPages({ ...at('/webhooks/:id/edit'), needs: 'owner', form: Registration }, editPage, change),
  ...webhookQuestions,
  ...conditionPages,
  ...deliveryPages,
  form({ ...at('/webhooks/:id/ping'), form: emptyForm }, onePage, ping),
  form({ ...at('/webhooks/:id/deliveries/:delivery/replay'), form: emptyForm }, onePage, replayOne),
];
