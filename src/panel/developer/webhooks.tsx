import { z } from 'zod';
import {
  ActionLink,
  asTrouble,
  clip,
  Facts,
  Form,
  type FormError,
  form,
  getPage,
  type Page,
  type PageRequest,
  pageAsked,
  pageOf,
  pageParam,
  State,
  Table,
  When,
} from '../../web/index.ts';
import { Deliveries, type Webhook } from '../../webhooks/index.ts';
import { loadCategories } from '../pickers/category-picker.tsx';
import { LOG_SHOWN, Log } from './deliveries.tsx';
import { change, create, one, ping, replayOne, WEBHOOKS_PATH } from './webhook-actions.tsx';
import { WebhookList, webhookQuestions } from './webhook-questions.tsx';
import { loadConditionProducts } from './webhooks/conditions.tsx';
import { deliveryPages } from './webhooks/delivery-page.tsx';
import { NEW_WEBHOOK, Registration, WebhookFields } from './webhooks/webhook-form.tsx';

type Hook = z.output<typeof Webhook>;

/** Webhooks on one page of the list. */
const PAGE_SIZE = 20;
const PAUSE_REASONS: Readonly<Record<string, string>> = {
  gone: 'the receiver responded 410 Gone',
  failing: 'all deliveries failed for five days',
};

/** The status, with the reason of an automatic pause. */
const HookStatus = ({ hook }: { hook: Hook }) => (
  <>
    <State is={hook.status} /> {hook.paused_reason && PAUSE_REASONS[hook.paused_reason]}
  </>
);

/** Names, each of which stays on its line. */
const Names = ({ of }: { readonly of: readonly string[] }) => (
  <span>
    {of.map((name, at) => (
      <>
        {at > 0 && ', '}
        <span class="together">{name}</span>
      </>
    ))}
  </span>
);

const listPage = async (request: PageRequest) => {
  const answer = await request.api({ path: '/v1/webhooks', answer: WebhookList });
  if (!answer.ok) return answer;
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
        pages={{ meta: meta, href: (to) => `${WEBHOOKS_PATH}?page=${to}` }}
      />
    </>
  );
  return { title: 'Webhooks', body, action: ['/developer/new-webhook', 'New webhook'] as const };
};

const trail = [[WEBHOOKS_PATH, 'Webhooks']] as const;

const newPage = async (request: PageRequest, formError: FormError | null) => {
  const [products, categories] = await Promise.all([
    loadConditionProducts(request, null),
    loadCategories(request),
  ]);
  if (!products.ok) return products;
  if (!categories.ok) return categories;
  const choices = { products: products.value, categories: categories.value };
  const f = { request, trouble: formError };
  const body = (
    <Form request={request} action="/developer/new-webhook" submit="Register and show secret">
      <WebhookFields f={f} known={NEW_WEBHOOK} choices={choices} />
    </Form>
  );
  return { title: 'New webhook', trail, body };
};

/** What can be done with a webhook; nothing for a role that may change nothing. */
const Actions = ({ request, here }: { request: PageRequest; here: string }) =>
  request.may('post', `${here}/ping`) ? (
    <section aria-labelledby="actions">
      <h2 id="actions">Test, replay and secret</h2>
      <div class="actions">
        <Form request={request} action={`${here}/ping`} submit="Send a test event" quiet />
        <ActionLink request={request} href={`${here}/replay`} class="button quiet">
          Replay a time range
        </ActionLink>
        <ActionLink request={request} href={`${here}/rotate-secret`} class="button quiet">
          Make a new secret
        </ActionLink>
        <ActionLink request={request} href={`${here}/delete`} class="button danger quiet">
          Delete webhook
        </ActionLink>
      </div>
    </section>
  ) : null;

const About = ({ hook }: { readonly hook: z.infer<typeof WebhookList>['data'][number] }) => (
  <Facts
    of={{
      Status: <HookStatus hook={hook} />,
      Secret: <code>{hook.secret_preview}</code>,
      Filter: hook.filter ? <code>{clip(JSON.stringify(hook.filter), 300)}</code> : 'none: all its events',
      URL: clip(hook.url, 200),
      Events: <Names of={hook.events} />,
      Order: hook.ordered ? 'each resource’s events one after the other' : 'as they come',
      Registered: <When at={hook.created_at} />,
    }}
  />
);

const onePage = async (request: PageRequest) => {
  const status = request.query('status');
  const page = pageParam(request);
  const filter = status ? `&status=${encodeURIComponent(status)}` : '';
  const [hooks, sent] = await Promise.all([
    request.api({ path: '/v1/webhooks', answer: WebhookList }),
    request.api({
      path: `${one(request)}/deliveries?limit=${LOG_SHOWN}&page=${page}${filter}`,
      answer: Deliveries,
    }),
  ]);
  if (!hooks.ok) return hooks;
  if (!sent.ok) return sent;
  const hook = hooks.value.data.find(({ id }) => String(id) === request.param('id'));
  if (!hook) return asTrouble('Webhook not found.', 404);
  const here = `${WEBHOOKS_PATH}/${hook.id}`;
  const body = (
    <>
      <About hook={hook} />
      <Log request={request} here={here} sent={sent.value} status={status} />
      <Actions request={request} here={here} />
    </>
  );
  return { title: titleOf(hook), trail, body, action: [`${here}/edit`, 'Edit webhook'] as const };
};

const titleOf = ({ description, url }: Hook): string => clip(description ?? url);

const editPage = async (request: PageRequest, formError: FormError | null) => {
  // The names of the products in a condition are read once the webhook is known; without any, nothing is.
  const [hooks, categories] = await Promise.all([
    request.api({ path: '/v1/webhooks', answer: WebhookList }),
    loadCategories(request),
  ]);
  if (!hooks.ok) return hooks;
  if (!categories.ok) return categories;
  const hook = hooks.value.data.find(({ id }) => String(id) === request.param('id'));
  if (!hook) return asTrouble('Webhook not found.', 404);
  const products = await loadConditionProducts(request, hook.filter);
  if (!products.ok) return products;
  const here = `${WEBHOOKS_PATH}/${hook.id}`;
  const choices = { products: products.value, categories: categories.value };
  return {
    title: 'Edit webhook',
    trail: [...trail, [here, titleOf(hook)] as const],
    body: (
      <Form request={request} action={`${here}/edit`} submit="Save">
        <WebhookFields f={{ request, trouble: formError }} known={hook} choices={choices} />
      </Form>
    ),
  };
};

const at = (path: string) => ({ path: `/developer${path}`, audience: 'developer' }) as const;
const emptyForm = z.object({});

/** The pages that manage webhooks, show deliveries and replay events. */
export const webhookPages: readonly Page[] = [
  getPage(at('/webhooks'), listPage),
  getPage({ ...at('/new-webhook'), needs: 'owner' }, newPage),
  form({ ...at('/new-webhook'), needs: 'owner', form: Registration }, newPage, create),
  getPage(at('/webhooks/:id'), onePage),
  getPage({ ...at('/webhooks/:id/edit'), needs: 'owner' }, editPage),
  form({ ...at('/webhooks/:id/edit'), needs: 'owner', form: Registration }, editPage, change),
  ...webhookQuestions,
  ...deliveryPages,
  form({ ...at('/webhooks/:id/ping'), form: emptyForm }, onePage, ping),
  form({ ...at('/webhooks/:id/deliveries/:delivery/replay'), form: emptyForm }, onePage, replayOne),
];
