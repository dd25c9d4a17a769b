import type { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { Child } from 'hono/jsx';
import type { BodyLimits } from '../kernel/http/body.ts';
import type { App } from '../kernel/http/context.ts';
import type { Answer, Ask, FormError } from './api-client.ts';
import type { Developer } from './store.ts';
import type { TenantHint } from './tenant-hint.ts';

/** Who may see a page: the super-admin, a tenant's developers, or anybody. */
export type Audience = 'admin' | 'developer' | 'anyone';

/** The part of the panels that a path is in. */
export const areaOf = (path: string): 'admin' | 'developer' | 'demo' =>
  path.startsWith('/admin') ? 'admin' : path.startsWith('/developer') ? 'developer' : 'demo';

/** One request of a page, by somebody who may see it. */
export interface PageRequest {
  readonly c: Context<App>;
  /** While a page is shown, what it reads of the database goes out in one batch with its session. */
  readonly env: Env;
  /** A developer's tenant, known before the database is asked; reading it elsewhere is a bug and throws. */
  readonly tenant: TenantHint;
  /** Who is signed in to the developer panel, once that has been read. */
  developer(): Promise<Developer>;
  /** The CSRF token for the page's forms. */
  readonly token: string;
  /** A parameter of the path; reading one that the path doesn't have is a bug and throws. */
  param(name: string): string;
  /** A parameter of the query, or "". */
  query(name: string): string;
  /** What a form was sent with, to fill it in again; none on a GET. */
  readonly sent: Readonly<Record<string, string[]>>;
  /** Calls the API as the developer's tenant. */
  api<T>(ask: Ask<T>): Promise<Answer<T>>;
  /** Calls the public API with the demo shop's token, as any storefront's server does. */
  shop<T>(ask: Ask<T>): Promise<Answer<T>>;
  /** Calls the platform API about one tenant; `/` for all. A developer's is always their own. */
  platform<T>(slug: string, ask: Ask<T>): Promise<Answer<T>>;
}

/** An address, and what it is called. */
export type Link = readonly [href: string, label: string];

/** A page as a handler answers it: its title and what is in it. */
export interface View {
  readonly title: string;
  readonly body: Child;
  /** The pages above it, from the outermost on. */
  readonly trail?: readonly Link[];
  /** What there is to do here first, beside the title. */
  readonly action?: Link;
  readonly status?: number;
  /** Loads itself again after so many seconds where there is no script. */
  readonly refresh?: number;
}

/** Where a form leads: another page with a note of {@link NOTES}, a page, or back to itself with what is wrong. */
export type Outcome =
  | { readonly to: string; readonly note?: Note }
  | { readonly view: View }
  | { readonly trouble: FormError };

/** What a page says after a form has done its work. */
export const NOTES = {
  saved: 'Saved.',
  created: 'Created.',
  removed: 'Removed.',
  sent: 'Sent. How it went is among the deliveries below.',
  replayed: 'Sent again. How it goes is among the deliveries below.',
  resent: 'Sent again.',
  some_resent: 'Sent 100 again. There are more: send them again as well.',
  cancelled: 'The order is cancelled and its stock given back.',
  registered: 'Your account is ready.',
  signed_in: 'You are signed in.',
  session_ended: 'Your session has ended. Sign in again.',
  in_cart: 'Added to your cart.',
  welcome: 'Welcome. Your account is ready.',
  signed_out: 'You are signed out.',
} as const;
export type Note = keyof typeof NOTES;

/** A route of the panels, declared once: guards, tests and the router are all made from the list of them. */
export interface Page {
  readonly method: 'get' | 'post';
  readonly path: `/admin${string}` | `/developer${string}` | `/demo${string}`;
  readonly audience: Audience;
  readonly form?: z.ZodType;
  /** What its form may send; a usual form unless it says otherwise. */
  readonly limits?: BodyLimits;
  readonly show: (visit: PageRequest, trouble: FormError | null) => Promise<View | Outcome>;
  readonly act?: (visit: PageRequest, form: unknown) => Promise<Outcome>;
}

type Show = (visit: PageRequest, trouble: FormError | null) => Promise<View | Outcome>;
type Where = Pick<Page, 'path' | 'audience' | 'limits'>;

/** A page to look at. */
export const getPage = (where: Where, show: Show): Page => ({ ...where, method: 'get', show });

/** A form that is sent to `path`; when something is wrong with it, `show` shows it again. */
export const form = <Form extends z.ZodType>(
  where: Where & { readonly form: Form },
  show: Show,
  act: (visit: PageRequest, form: z.output<Form>) => Promise<Outcome>,
): Page => ({
  ...where,
  method: 'post',
  show,
  // The list of pages forgets the type that zod has checked before.
  act: (visit, sent) => act(visit, sent as z.output<Form>),
});

/** The page of a list that is asked for, or that a form was sent from: 1 and on, whatever the address says. */
export const pageAsked = (visit: PageRequest, name = 'page'): number =>
  Math.max(1, Math.trunc(Number(visit.query(name))) || 1);

/** The same for a list of the API's, as it stands in the address: the API says what is wrong with it. */
export const pageParam = (visit: PageRequest): string => encodeURIComponent(visit.query('page') || '1');

/** A trouble, with a field or as a whole. */
export const asTrouble = (message: string, status = 422, field?: string): { trouble: FormError } => ({
  trouble: { message, errors: field === undefined ? {} : { [field]: [message] }, status },
});
