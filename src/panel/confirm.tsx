import type { Child } from 'hono/jsx';
import { z } from 'zod';
import { sha256 } from '../kernel/crypto/crypto.ts';
import {
  Form,
  type FormError,
  formPages,
  type Link,
  type Outcome,
  type Page,
  type PageRequest,
  type View,
} from '../web/index.ts';

/** What a confirm page says and asks. */
export interface Question {
  /** The heading, a question that names the subject: "Delete the coupon SUMMER?" */
  readonly title: string;
  readonly trail: readonly Link[];
  /** What will happen, with the amount if money moves. */
  readonly body: Child;
  /** Fields of the form, for what the person must type and what the action needs. */
  readonly fields?: Child;
  /** The label of the button, which names the action: "Delete coupon". */
  readonly submit: string;
  /** The way back without a change: "Keep the coupon". */
  readonly keep: Link;
}

/** Returns the page's path as it was sent. Hono's is decoded: a browser takes a backslash in it for a slash. */
const addressOf = ({ c }: PageRequest): string => new URL(c.req.url).pathname;

/** Returns the page that says what will happen, with a button that does it and a link that doesn't. */
export const confirmView = (request: PageRequest, question: Question): View => ({
  title: question.title,
  trail: question.trail,
  body: (
    <div class="card confirm">
      {question.body}
      <Form request={request} action={addressOf(request)} submit={question.submit} danger bare>
        <input type="hidden" name="_seen" value={seenIn(request)} />
        {question.fields}
      </Form>
      <p>
        <a href={question.keep[0]}>{question.keep[1]}</a>
      </p>
    </div>
  ),
});

interface HiddenValuesProps {
  readonly of: Readonly<Record<string, readonly string[]>>;
}

/** Hidden fields with what was submitted on the page before. */
export const HiddenValues = ({ of }: HiddenValuesProps) => (
  <>
    {Object.entries(of).flatMap(([name, values]) =>
      values.map((value) => <input type="hidden" name={name} value={value} />),
    )}
  </>
);

type Ask = (request: PageRequest, formError: FormError | null) => Promise<Question | Outcome>;

/** Returns what shows that a confirm page was shown in the request's session, and so that its subject was there. */
const seenIn = (request: PageRequest): string => sha256(`${request.token} ${addressOf(request)}`);

/**
 * Returns whether the subject of a submitted question, which is not found, was there when the question was shown: the
 * form was sent before, or somebody else has deleted the subject meanwhile.
 */
export const isGone = (request: PageRequest): boolean => request.sent._seen?.[0] === seenIn(request);

/** Deletes what `path` names in the API, and then leads to `to`, also where it {@link isGone}. */
export async function deleteAt(request: PageRequest, path: string, to: string): Promise<Outcome> {
  const removed = await request.api({ method: 'DELETE', path });
  const isDone = removed.ok || (removed.formError.status === 404 && isGone(request));
  return isDone ? { to, note: 'removed' } : removed;
}

/**
 * Returns the two pages of an action that takes money, deletes or cuts off: GET asks, POST of the same path acts.
 * An action that fails shows the question again, with the error. The question is shown to who may act: staff
 * unless `needs` says otherwise.
 */
export function confirmPages<Fields extends z.ZodType = z.ZodObject>(
  where: Pick<Page, 'path' | 'audience' | 'needs'> & { readonly form?: Fields },
  ask: Ask,
  act: (request: PageRequest, fields: z.output<Fields>) => Promise<Outcome>,
): readonly Page[] {
  const show = async (request: PageRequest, formError: FormError | null): Promise<View | Outcome> => {
    const question = await ask(request, formError);
    return 'submit' in question ? confirmView(request, question) : question;
  };
  const { path, audience, needs = 'staff' } = where;
  // Without a schema of its own, Fields is the empty object's.
  const fields = where.form ?? (z.object({}) as z.ZodType as Fields);
  return formPages({ path, audience, needs, form: fields }, show, act);
}
