import type { z } from 'zod';
import {
  asFormError,
  Facts,
  Form,
  getPage,
  htmlBytes,
  type Outcome,
  type Page,
  type PageRequest,
  Part,
  Section,
  State,
  When,
} from '../../../web/index.ts';
import { DeliveryWithRequest } from '../../../webhooks/index.ts';
import { resultOf } from '../deliveries.tsx';

type Sent = z.output<typeof DeliveryWithRequest>;

/** The most bytes of HTML that the page gives to the payload, and to the answer of one attempt. */
const MAX_PAYLOAD_BYTES = 5_000;
const MAX_ANSWER_BYTES = 900;
const MAX_ATTEMPTS_SHOWN = 4;

/** Returns the beginning of a text that takes at most `most` bytes as HTML. */
function fitting(text: string, most: number): string {
  let [length, bytes] = [0, 0];
  for (const sign of text) {
    bytes += htmlBytes(sign);
    if (bytes > most) return `${text.slice(0, length)}…`;
    length += sign.length;
  }
  return text;
}

/** Returns JSON with line breaks; anything else as it is. */
function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 1);
  } catch {
    return body;
  }
}

/** The path of a delivery's page. */
const pathOf = (request: PageRequest): string =>
  `/webhooks/${encodeURIComponent(request.param('id'))}/deliveries/${encodeURIComponent(request.param('delivery'))}`;

const read = (request: PageRequest) =>
  request.api({ path: `/v1${pathOf(request)}`, answer: DeliveryWithRequest });

const Attempt = ({ of, number }: { of: Sent['log'][number]; number: number }) => (
  <>
    <h3>
      Attempt {number}: {resultOf(of)}
    </h3>
    <p>
      {of.duration_ms !== null && `${of.duration_ms} ms, `}
      <When at={of.started_at} />
    </p>
    {of.response_body ? (
      <figure class="code">
        <figcaption>Response</figcaption>
        <pre tabindex={0}>{fitting(of.response_body, MAX_ANSWER_BYTES)}</pre>
      </figure>
    ) : (
      of.response_status !== null && <p class="hint">The response had no body, or it is no longer kept.</p>
    )}
  </>
);

/** The latest attempts, the last one first. */
const Attempts = ({ of }: { of: Sent }) => {
  const shown = of.log.slice(-MAX_ATTEMPTS_SHOWN).reverse();
  return (
    <Section id="attempts" title="Attempts">
      {shown.length === 0 ? (
        <p class="hint">Nothing has been sent yet.</p>
      ) : (
        shown.map((attempt, n) => <Attempt of={attempt} number={of.attempts - n} />)
      )}
      {of.attempts > shown.length && (
        <p class="hint">The last {shown.length} are shown. The API lists the last 20.</p>
      )}
    </Section>
  );
};

const Payload = ({ of, href }: { of: Sent['request']; href: string }) => {
  const text = readable(of.body);
  const shown = fitting(text, MAX_PAYLOAD_BYTES);
  return (
    <Section id="payload" title="Request">
      <Part name="code" />
      <figure class="code">
        <figcaption>Headers, without timestamp and signature</figcaption>
        <pre tabindex={0}>
          {Object.entries(of.headers)
            .map(([name, value]) => `${name}: ${value}`)
            .join('\n')}
        </pre>
      </figure>
      <figure class="code">
        <figcaption>Body{shown === text ? '' : ', its beginning'}</figcaption>
        <button type="button" class="quiet" data-copy="body" aria-label="Copy body" hidden>
          Copy
        </button>
        <pre id="body" tabindex={0}>
          {shown}
        </pre>
      </figure>
      <p>
        <a href={href} download>
          Download the body as it is sent
        </a>
      </p>
    </Section>
  );
};

const deliveryPage = async (request: PageRequest) => {
  const answer = await read(request);
  if (!answer.ok) return answer.formError.status === 404 ? asFormError('Delivery not found.', 404) : answer;
  const sent = answer.value;
  const hook = `/developer/webhooks/${encodeURIComponent(request.param('id'))}`;
  const here = `${hook}/deliveries/${sent.id}`;
  const body = (
    <>
      <Facts
        of={{
          Status: <State is={sent.status} />,
          Event: <code>{sent.event_id}</code>,
          Occurred: <When at={sent.occurred_at} />,
          Attempts: sent.attempts,
          ...(sent.next_attempt_at ? { 'Next attempt': <When at={sent.next_attempt_at} /> } : {}),
          ...(sent.delivered_at ? { Delivered: <When at={sent.delivered_at} /> } : {}),
        }}
      />
      <p class="actions">
        <Form request={request} action={`${here}/replay`} submit="Send again" quiet />
      </p>
      <div class="beside">
        <Attempts of={sent} />
        <Payload of={sent.request} href={`${here}/body`} />
      </div>
    </>
  );
  const trail = [
    ['/developer/webhooks', 'Webhooks'],
    [hook, 'Webhook'],
  ] as const;
  return { title: `Delivery of ${sent.event}`, trail, body };
};

async function bodyFile(request: PageRequest): Promise<Outcome> {
  const answer = await read(request);
  if (!answer.ok) return asFormError('Delivery not found.', 404);
  const headers = {
    'Content-Type': 'application/json',
    'Content-Disposition': `attachment; filename="${answer.value.event_id}.json"`,
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
  };
  return { file: new Response(answer.value.request.body, { headers }) };
}

const at = (path: string) =>
  ({ path: `/developer/webhooks/:id/deliveries/:delivery${path}`, audience: 'developer' }) as const;

/** The pages of one delivery: its attempts with the receiver's answers, and what it sends. */
export const deliveryPages: readonly Page[] = [getPage(at(''), deliveryPage), getPage(at('/body'), bodyFile)];
