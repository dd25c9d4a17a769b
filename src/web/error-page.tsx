import type { Context } from 'hono';
import type { Child } from 'hono/jsx';
import type { App } from '../kernel/http/context.ts';
import { reportError } from '../kernel/http/problem.ts';
import { Document, frameOf, setSecurityHeaders } from './layout.tsx';
import { pageAbove } from './navigation.tsx';
import { areaOf, startOf, type View } from './page.ts';

/** The text of a page that doesn't exist. */
export const PAGE_NOT_FOUND = 'The address is wrong, or the page was removed.';

const ERROR_TEXTS = {
  401: ['Your session has ended', 'Your last change was not saved. Sign in again and repeat it.'],
  403: ['This form is out of date', 'Nothing was changed. Reload the page and repeat your change.'],
  404: ['Page not found', PAGE_NOT_FOUND],
  405: ['Method not allowed', 'This page does not support the HTTP method of the request.'],
  408: ['The upload took too long', 'Nothing was saved. Go back and send the form again.'],
  413: ['The form is too large', 'Nothing was saved. Go back and send less data.'],
  415: ['The form could not be read', 'Nothing was saved. Reload the page and repeat your change.'],
  429: ['Too many requests', 'Nothing was saved. Wait a few seconds, then try again.'],
  500: ['Something went wrong', 'The error is on our side and was logged. Try again in a moment.'],
  503: ['Temporarily unavailable', 'Try again in a few seconds. If you were saving a change, save it again.'],
} as const;

/** Renders the document around the title and body of an error page. */
export type ErrorDocument = (view: Pick<View, 'title' | 'body'>) => Promise<Child>;

const documents = new WeakMap<Context<App>, ErrorDocument>();

/** Shows the error pages of a request in a document of their own, instead of the panels'. */
export function setErrorDocument(c: Context<App>, document: ErrorDocument): void {
  documents.set(c, document);
}

/** Renders an error page in the document of its request; in the panels' if it has none, or that fails too. */
async function render(c: Context<App>, view: Pick<View, 'title' | 'body'>): Promise<Child> {
  const own = await documents
    .get(c)?.(view)
    .catch((error) => {
      reportError(error, c.get('requestId'));
      return null;
    });
  return own ?? Document({ frame: frameOf(c.req.path), view, formError: null });
}

/** Returns where an error page leads by default: to the start of its area, if there is one. */
const startBehind = ({ env, req }: Context<App>): string =>
  areaOf(req.path) === 'demo' && !env.DEMO_TOKEN ? '/' : startOf(areaOf(req.path));

/** A link styled as a button, to continue from a page that ends here. */
export const NextLink = ({ href, label }: { href: string; label: string }) => (
  <p>
    <a class="button" href={href}>
      {label}
    </a>
  </p>
);

interface More {
  /** Replaces the default title and text. */
  readonly words?: readonly [title: string, text: string];
  /** Path of the page that the button leads to. */
  readonly back?: string;
  /** What is offered below the button. */
  readonly below?: Child;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Returns the path of the page that sent the request (same-origin Referer), else of the page above. */
export function pageBehind(c: Context<App>): string {
  if (c.req.method === 'GET' || c.req.method === 'HEAD') return c.req.path;
  const from = URL.parse(c.req.header('referer') ?? '');
  const ours =
    from?.origin === new URL(c.req.url).origin && /^\/(admin|developer|demo)\b/.test(from.pathname);
  return ours ? from.pathname : pageAbove(c.req.path);
}

/** Returns an error page, with a link to continue. */
export async function errorPage(
  c: Context<App>,
  status: keyof typeof ERROR_TEXTS,
  more: More = {},
): Promise<Response> {
  const { path } = c.req;
  const [title, text] = more.words ?? ERROR_TEXTS[status];
  const back = more.back ?? startBehind(c);
  const label = more.back ? 'Back to the page' : 'Go to the start page';
  const body = (
    <>
      <p>{text}</p>
      {status === 401 ? (
        <NextLink href={`/${areaOf(path)}/sign-in`} label="Sign in" />
      ) : (
        <NextLink href={back} label={label} />
      )}
      {more.below}
      {status >= 500 && (
        <p class="hint">
          If the error persists, report this request id: <code>{c.get('requestId')}</code>
        </p>
      )}
    </>
  );
  setSecurityHeaders(c);
  c.header('X-Request-Id', c.get('requestId'));
  c.header('Cache-Control', 'no-store');
  for (const [name, value] of Object.entries(more.headers ?? {})) c.header(name, value);
  if (status === 503) c.header('Retry-After', '5');
  return c.html(`<!doctype html>${await render(c, { title, body })}`, status);
}

/** Returns whether a request without a route of its own came from a browser, which reads pages, not the API's JSON. */
export const wantsPage = ({ req }: Context<App>): boolean =>
  !/^\/(admin\/)?v1(\/|$)/.test(req.path) && (req.header('accept') ?? '').includes('text/html');

/** Title and text for developers of a suspended tenant. */
export const SUSPENDED = [
  'This shop is suspended',
  'Its panel and its API are disabled. Ask the platform operator.',
] as const;
