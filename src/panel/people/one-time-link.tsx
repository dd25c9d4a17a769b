import { z } from 'zod';
import { line } from '../../kernel/text/text.ts';
import {
  asFormError,
  clip,
  type Link,
  MAX_PEOPLE,
  NextLink,
  type OneTimeLink,
  type Outcome,
  type PageRequest,
  ROLE_TEXTS,
  ROLES,
  Secret,
} from '../../web/index.ts';

/** The roles as options of a choice, the most powerful last. */
export const ROLE_OPTIONS = ROLES.map((role) => {
  const { name, may } = ROLE_TEXTS[role];
  return [role, `${name}: ${may.charAt(0).toLowerCase()}${may.slice(1)}`] as const;
});

/** The fields that name a person: schemas of both panels' invitations. */
export const PersonName = line(120);
export const PersonEmail = z
  .string()
  .trim()
  .toLowerCase()
  .pipe(z.email('must be an e-mail address').max(254));
export const PersonRole = z.enum(ROLES, 'must be one of the roles');

/**
 * Shows a new one-time link: an invitation, or a reset of a forgotten password. It appears only in the response
 * to its form, because the database keeps a hash.
 */
export function showLink(request: PageRequest, { user, token }: OneTimeLink, [href, label]: Link): Outcome {
  const joined = user.acceptedAt !== null;
  const url = new URL(`/developer/invitations/${token}`, request.c.req.url).href;
  const body = (
    <>
      <p>
        Send this link to {user.email}. It works once, within {joined ? '24 hours' : '7 days'}, and sets{' '}
        {joined ? 'a new password. Their sessions end then' : 'their password'}.
      </p>
      <Secret
        label={joined ? 'Reset link' : 'Invitation link'}
        value={url}
        hint="It is shown only once. No e-mail is sent: give it to them yourself."
      />
      <NextLink href={href} label={label} />
    </>
  );
  const title = `${joined ? 'New password' : 'Invitation'} for ${clip(user.name, 60)}`;
  return { view: { title, body } };
}

interface NotInvited {
  /** The field that holds the e-mail. */
  readonly field: string;
  /** How somebody who has joined gets a new password. */
  readonly advice: string;
}

/** Returns the error of an invitation that was not made. */
export const notInvited = (reason: 'joined' | 'full', { field, advice }: NotInvited): Outcome =>
  reason === 'joined'
    ? asFormError(`This person has joined already. ${advice}`, 409, field)
    : asFormError(`A shop has at most ${MAX_PEOPLE} people. Remove somebody first.`, 409);
