import type { FormError } from '../api-client.ts';
import { NextLink, PAGE_NOT_FOUND } from '../error-page.tsx';
import { Document, frameOf, setSecurityHeaders } from '../layout.tsx';
import { pageAbove } from '../navigation.tsx';
import type { Outcome, PageRequest, View } from '../page.ts';
import type { PanelUserSession } from '../sessions/sessions.ts';

/** What a request ends with: a page or another outcome, and the error of the form that the page shows again. */
interface Ending {
  readonly outcome: View | Outcome;
  readonly formError: FormError | null;
}

/** Renders the page in its frame, redirects, or sends the file. */
export async function finish(
  request: PageRequest,
  session: PanelUserSession,
  { outcome, formError }: Ending,
): Promise<Response> {
  const { c } = request;
  setSecurityHeaders(c);
  if ('to' in outcome) {
    const to = new URL(outcome.to, c.req.url);
    if (outcome.note) to.searchParams.set('note', outcome.note);
    return c.redirect(to.pathname + to.search, outcome.moved ? 301 : 303);
  }
  if ('file' in outcome) return c.body(outcome.file.body ?? '', outcome.file);
  // A page whose subject doesn't exist shows only the error.
  const missing = 'formError' in outcome ? subjectError(request, outcome.formError) : null;
  const view = viewOf(missing ? { formError: missing } : outcome, c.req.path);
  const status = missing?.status ?? formError?.status ?? view.status ?? 200;
  // The page of a missing subject says already what a summary above it would say again.
  const summed = missing && missing.status === formError?.status ? null : formError;
  const retryAfter = (missing ?? formError)?.retryAfter;
  if (retryAfter) c.header('Retry-After', String(retryAfter));
  const html = view.document
    ? await view.document(request, view, summed)
    : Document({
        frame: frameOf(c.req.path, { session, page: request }),
        view,
        formError: summed,
        labels: request.labels,
      });
  // Every status in use allows a body, which Hono's type requires.
  return c.html(`<!doctype html>${html}`, status as 200);
}

/** Returns the error of a page that can't be shown: 404 if its path has an id that nothing can have, such as `new`. */
function subjectError({ c }: PageRequest, formError: FormError): FormError {
  const [params, fields] = [c.req.param(), Object.keys(formError.errors)];
  const isOfPath =
    formError.status === 422 &&
    fields.length > 0 &&
    fields.every((field) => field.replace(/_id$/, '') in params);
  return isOfPath ? { message: PAGE_NOT_FOUND, errors: {}, status: 404 } : formError;
}

function viewOf(
  outcome: Exclude<View | Outcome, { readonly to: string } | { readonly file: Response }>,
  path: string,
): View {
  if ('view' in outcome) return outcome.view;
  return 'formError' in outcome ? errorView(outcome.formError, path) : outcome;
}

/** Returns the view of an error, shown instead of the page. */
const errorView = ({ message, status, errors }: FormError, path: string): View => ({
  title: status === 404 ? 'Page not found' : 'The request failed',
  body: (
    <>
      <p>{message}</p>
      {Object.entries(errors).map(([field, messages]) => (
        <p>
          {field}: {messages.join('; ')}
        </p>
      ))}
      <NextLink href={pageAbove(path)} label="Back" />
    </>
  ),
});
