import type { Context } from 'hono';
import type { App } from '../kernel/http/context.ts';
import { Document, frameOf, pageAbove, safe } from './layout.tsx';
import { areaOf } from './page.ts';

/** Why nobody gets to see a page, in words that say what to do now. */
const REFUSALS = {
  401: ['Your session has ended', 'Sign in again, and repeat what you did last: it was not saved.'],
  403: ['This form is out of date', 'Nothing was changed. Load the page again and repeat what you did.'],
  404: ['There is nothing here', 'The address is wrong, or what was here is gone.'],
  405: ['That is not how this page works', 'It was called in a way that it does not take.'],
  408: ['This took too long', 'Nothing was saved. Go back and send it again.'],
  413: ['This is too large', 'Nothing was saved. Go back and send less at once.'],
  415: ['This is no form of ours', 'Load the page again and repeat what you did.'],
  500: ['Something went wrong', 'It is our fault, and it has been noted. Try again in a moment.'],
  503: [
    'We cannot answer right now',
    'Try again in a few seconds. If you were saving something, save it again.',
  ],
} as const;

/** The one thing to do next. */
export const NextLink = ({ href, label }: { href: string; label: string }) => (
  <p>
    <a class="button" href={href}>
      {label}
    </a>
  </p>
);

interface More {
  /** Another heading and sentence than the usual ones. */
  readonly words?: readonly [title: string, what: string];
  /** The path of the page to load again. */
  readonly back?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The page that a request came from, if it is one of ours; else the one that its path is below. */
export function pageBehind(c: Context<App>): string {
  if (c.req.method === 'GET' || c.req.method === 'HEAD') return c.req.path;
  const from = URL.parse(c.req.header('referer') ?? '');
  const ours =
    from?.origin === new URL(c.req.url).origin && /^\/(admin|developer|demo)\b/.test(from.pathname);
  return ours ? from.pathname : pageAbove(c.req.path);
}

/** A page that says why there is no other, with a way on. */
export function errorPage(c: Context<App>, status: keyof typeof REFUSALS, more: More = {}): Response {
  const { path } = c.req;
  const [title, what] = more.words ?? REFUSALS[status];
  const back = more.back ?? `/${areaOf(path)}`;
  const label = more.back ? 'Back to the page' : 'To the start page';
  const body = (
    <>
      <p>{what}</p>
      {status === 401 ? (
        <NextLink href={`/${areaOf(path)}/sign-in`} label="Sign in" />
      ) : (
        <NextLink href={back} label={label} />
      )}
      {status >= 500 && (
        <p class="hint">
          If it keeps happening, say this number: <code>{c.get('requestId')}</code>
        </p>
      )}
    </>
  );
  safe(c);
  for (const [name, value] of Object.entries(more.headers ?? {})) c.header(name, value);
  if (status === 503) c.header('Retry-After', '5');
  const html = Document({ frame: frameOf(path), view: { title, body }, trouble: null });
  return c.html(`<!doctype html>${html}`, status);
}

/** The shop of a developer was suspended. */
export const SUSPENDED = [
  'This shop is suspended',
  'Its panel and its API are closed. Ask who runs the platform.',
] as const;
