import type { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { Child } from 'hono/jsx';
import type { AuditedChange } from '../audit/index.ts';
import type { App } from '../kernel/http/context.ts';
import type { BodyLimits } from '../kernel/input/body.ts';
import type { Answer, ApiCall, FormError } from './api-client.ts';
import type { PanelChange } from './dispatch/record-change.ts';
import type { Ticket } from './sessions/cookie.ts';
import type { Developer } from './sessions/people.ts';
import type { Audience, Role } from './sessions/roles.ts';
import type { TenantHint } from './sessions/tenant-hint.ts';

/** The parts of the site that have navigation of their own; `site` is all that belongs to none of them. */
export type Area = 'admin' | 'developer' | 'demo' | 'site';

/** Returns the area of a path. */
export const areaOf = (path: string): Area =>
  (['admin', 'developer', 'demo'] as const).find((area) => `${path}/`.startsWith(`/${area}/`)) ?? 'site';

/** Returns the path of the start page of an area. */
export const startOf = (area: Area): string => (area === 'site' ? '/' : `/${area}`);

/** The labels of the fields of a page, by the fields' names. */
export type FieldLabels = ReadonlyMap<string, string>;

/** One authorized request of a page. */
export interface PageRequest {
  readonly c: Context<App>;
  /** The bindings. While a page is rendered, its database reads share one batch with the session's. */
  readonly env: Env;
  /** The developer's tenant from the cookie, without a database read. Throws outside the developer panel. */
  readonly tenant: TenantHint;
  /**
   * Returns whether the user's role suffices for a page, or for the form that posts to a path. The super-admin and
   * visitors may do whatever their pages offer, like an owner.
   */
  may(method: Page['method'], path: string): boolean;
  /** Returns the signed-in developer. Throws outside the developer panel. */
  developer(): Promise<Developer>;
  /** The CSRF token for the page's forms. */
  readonly token: string;
  /** Returns a path parameter. Throws for one that the path doesn't have. */
  param(name: string): string;
  /** Returns a query parameter, or "". */
  query(name: string): string;
  /** The labels of the fields rendered so far, for the error summary. */
  readonly labels: Map<string, string>;
  /** The submitted form fields; empty on a GET. */
  readonly sent: Readonly<Record<string, string[]>>;
  /** The idempotency key of a form that is shown again although it may have had its effect. */
  readonly once?: string | undefined;
  /** Calls the API as the developer's tenant. */
  api<T>(call: ApiCall<T>): Promise<Answer<T>>;
  /** Reads a file from the API as the developer's tenant, in this media type: a streamed body. */
  download(path: string, accept: string): Promise<Answer<Response>>;
  /** The `fetch` of a storefront's server, whose calls of the public API stay in this Worker. */
  fetch(url: string, init: RequestInit): Promise<Response>;
  /** Returns the bindings for a change that a page makes without the API, recorded in the audit log. */
  audited(change: PanelChange): Promise<AuditedChange>;
  /** Calls the platform API about one tenant (`/` for all). A developer's calls always use their own tenant. */
  platform<T>(slug: string, call: ApiCall<T>): Promise<Answer<T>>;
}

/** The state of a form: the submitted values, and the error. */
export interface Filled {
  readonly request: PageRequest;
  readonly formError: FormError | null;
}

/** A link and its label. */
export type Link = readonly [href: string, label: string];

/** A rendered page, without the layout. */
export interface View {
  readonly title: string;
  /** The part of its subject that the page shows, such as a tab: the browser names it before the title. */
  readonly section?: string | undefined;
  readonly body: Child;
  /** Breadcrumbs, outermost first. */
  readonly trail?: readonly Link[];
  /** The primary action, shown beside the title. */
  readonly action?: Link;
  /** Further actions, shown before the primary one. */
  readonly actions?: readonly Link[];
  readonly status?: number;
  /** Seconds until the page reloads itself without JavaScript. */
  readonly refresh?: number;
  /** A sentence about the page, for search engines. */
  readonly description?: string;
  /** The URL of a picture of what the page shows, for social networks. */
  readonly image?: string | undefined;
  /** The product that the page shows, as structured data for search engines. */
  readonly product?: Readonly<Record<string, unknown>>;
  /** Whether the body has a heading of its own in place of the title. */
  readonly ownHeading?: boolean;
  /** The document around a view that is not in the panels' layout. */
  readonly document?: DocumentOf;
}

/** Renders the document around a view, with its head; `formError` is the error of the form that is shown again. */
export type DocumentOf = (request: PageRequest, view: View, formError: FormError | null) => Promise<Child>;

/** A fresh session; a form that was held while its sender signed in is shown to it instead of the redirect. */
export interface SignedIn {
  readonly area: 'admin' | 'developer';
  readonly ticket: Ticket;
}

/**
 * The outcome of a form: a redirect with one of {@link NOTES} (`moved`: for good), a page, a file, or the same page with
 * errors. That shows what was submitted, or `sent` in its place: the form with files that are stored by now as fields.
 */
export type Outcome =
  | { readonly to: string; readonly note?: Note; readonly signedIn?: SignedIn; readonly moved?: true }
  | { readonly view: View }
  | { readonly file: Response }
  | { readonly formError: FormError; readonly sent?: PageRequest['sent'] };

/** Confirmations shown after a form's redirect. */
const NOTES = {
  saved: 'Saved.',
  created: 'Created.',
  merged: 'Saved. Someone else changed other fields meanwhile. Their changes are kept.',
  duplicated: 'This is the copy. It is hidden from the shop until you set it to active.',
  removed: 'Removed.',
  moved: 'Moved.',
  sent: 'Sent. The deliveries below show the result.',
  replayed: 'Sent again. The deliveries below show the progress.',
  held: 'The webhook is paused. The test event is held: replay it once the webhook is active.',
  replayed_later: 'The webhook is paused. The replay is sent once it is active.',
  resent: 'Retried.',
  some_resent: '100 messages were retried. More remain. Retry again to continue.',
  cancelled: 'The order is cancelled and its stock is restored.',
  fulfilled: 'The fulfilment is recorded.',
  refunded: 'The refund is requested. Its status is shown below.',
  registered: 'Your account is ready.',
  signed_in: 'You are signed in.',
  session_ended: 'Your session has ended. Sign in again.',
  in_cart: 'Added to your cart.',
  cart_changed: 'Your cart is updated.',
  removed_from_cart: 'Removed from your cart.',
  code_added: 'The code is in your cart.',
  welcome: 'Welcome. Your account is ready.',
  signed_out: 'You are signed out.',
  resumed: 'You are signed in again. Nothing was saved yet: check the form and send it once more.',
  session_closed: 'That session is signed out.',
  sessions_closed: 'You are signed out everywhere else.',
  password_changed: 'Your password is changed. Your other sessions have ended.',
} as const;
export type Note = keyof typeof NOTES;

/** Returns the confirmation that the form's redirect asks the page to show. */
export const noteOf = (request: PageRequest): string | undefined =>
  Object.entries(NOTES).find(([key]) => key === request.query('note'))?.[1];

/**
 * Names of the buttons that redraw a form with what was typed, and with what the button asks for, without
 * running its action: the search of a picker, and another page of its rows.
 */
export const REDRAWING_BUTTONS = ['_find', '_turn'] as const;

/** Renders a page; `formError` is the error of the form that is shown again. */
type Show = (request: PageRequest, formError: FormError | null) => Promise<View | Outcome>;

/** A page route. The router, its guards and the tests are derived from the list of pages. */
export interface Page {
  readonly method: 'get' | 'post';
  readonly path: `/admin${string}` | `/developer${string}` | `/demo${string}`;
  readonly audience: Audience;
  /** The least role that may request it; by default `read_only` for a page and `staff` for a form. */
  readonly needs?: Role;
  readonly form?: z.ZodType;
  /** Limits of the form's body; 64 KiB by default. */
  readonly limits?: BodyLimits;
  readonly show: Show;
  readonly act?: (request: PageRequest, form: unknown) => Promise<Outcome>;
}

type PageRoute = Pick<Page, 'path' | 'audience' | 'limits' | 'needs'>;

/** Returns the least role that may request a page. */
export const leastRole = ({ method, needs }: Pick<Page, 'method' | 'needs'>): Role =>
  needs ?? (method === 'get' ? 'read_only' : 'staff');

/** Returns whether the user's role suffices for a page and for the form, if any, that posts to its path. */
export const mayOpen = ({ may }: Pick<PageRequest, 'may'>, href: string): boolean =>
  may('get', href) && may('post', href);

/** Returns a GET page. */
export const getPage = (route: PageRoute, show: Show): Page => ({ ...route, method: 'get', show });

/** Returns a form that posts to `path`; `show` renders it again when it has errors. */
export const form = <Form extends z.ZodType>(
  route: PageRoute & { readonly form: Form },
  show: Show,
  act: (request: PageRequest, form: z.output<Form>) => Promise<Outcome>,
): Page => ({
  ...route,
  method: 'post',
  show,
  // The list of pages erases the type that zod has already checked.
  act: (request, sent) => act(request, sent as z.output<Form>),
});

/** Returns the two pages of a form: GET shows it, and POST of the same path acts. */
export const formPages = <Form extends z.ZodType>(
  route: PageRoute & { readonly form: Form },
  show: Show,
  act: (request: PageRequest, form: z.output<Form>) => Promise<Outcome>,
): readonly Page[] => {
  const { form: _, ...shown } = route;
  return [getPage(shown, show), form(route, show, act)];
};

/** Returns whether a page shows a form that was sent: each field as it was sent, also one that was left empty. */
export const isSent = ({ sent }: PageRequest): boolean => Object.keys(sent).length > 0;

/** Returns the idempotency key that a submitted form carries; undefined without one. */
export const onceOf = ({ sent }: PageRequest): string | undefined => sent._once?.[0];

/** Calls the API by POST with the key of the submitted form, so that sending the form twice has one effect. */
export const postOnce = <T>(
  request: PageRequest,
  call: Omit<ApiCall<T>, 'method' | 'once'>,
): Promise<Answer<T>> => request.api({ ...call, method: 'POST', once: onceOf(request) });

/** Returns the request with other submitted fields. */
export const withSent = (request: PageRequest, sent: PageRequest['sent']): PageRequest =>
  Object.create(request, { sent: { value: sent, enumerable: true } });

/** Returns the requested page number of a list, at least 1 for any input. */
export const pageAsked = (request: PageRequest, name = 'page'): number =>
  Math.max(1, Math.trunc(Number(request.query(name))) || 1);

/** Returns the raw page number for an API list, URL-encoded; the API validates it. */
export const pageParam = (request: PageRequest): string => encodeURIComponent(request.query('page') || '1');

/** Returns an error outcome, for one field or for the whole form. */
export const asFormError = (message: string, status = 422, field?: string): { formError: FormError } => ({
  formError: { message, errors: field === undefined ? {} : { [field]: [message] }, status },
});
