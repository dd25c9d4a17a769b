import { directory } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { listDevelopers, type OneTimeLink, type PageRequest, type Role } from '../../web/index.ts';

/** A change to the people of a tenant: to the person whom the path names, or to `who`, who is invited. */
interface PeopleChange {
  readonly action: string;
  readonly who?: { readonly name: string; readonly role: Role };
  /** The new role. */
  readonly role?: Role;
  /** The tenant's slug and id, in the super-admin's panel. */
  readonly tenant?: { readonly slug: string; readonly id: number };
}

/** What a change may end with: done, with a link or without, or the reason why nothing changed. */
type Ending = OneTimeLink | string | null;

/**
 * Changes the people of a tenant, recorded in the audit log in the same batch. Names and roles are recorded,
 * e-mail addresses and links are not. A change that did nothing leaves no entry.
 */
export async function recorded<Result extends Ending>(
  request: PageRequest,
  { action, who, role, tenant = request.tenant }: PeopleChange,
  act: (place: TenantDatabase, id: number) => Promise<Result>,
): Promise<Result> {
  const id = who ? 0 : Number(request.param('id'));
  const people = who ? [] : await listDevelopers(directory(request.env), tenant.slug);
  const person = people.find((one) => one.id === id);
  const change = await request.audited({
    action,
    tenant: tenant.slug,
    subject: {
      kind: 'people',
      id: who ? null : String(id),
      name: (who ?? person)?.name ?? null,
    },
    changes: [
      ...(who ? [{ field: 'role', new: who.role }] : []),
      ...(role && person ? [{ field: 'role', old: person.role, new: role }] : []),
    ],
  });
  const result = await act({ db: directory(change.env), tenantId: tenant.id }, id);
  if (result === null || (typeof result === 'string' && result !== 'done')) await change.discard();
  else if (typeof result !== 'string') await change.nameSubject(String(result.user.id), result.user.name);
  return result;
}
