/** Who may request a page: the super-admin, a tenant's developers, or anyone. */
export type Audience = 'admin' | 'developer' | 'anyone';

/** The roles of a tenant's panel users, least first. Each role may do what those before it may. */
export const ROLES = ['read_only', 'staff', 'owner'] as const;
export type Role = (typeof ROLES)[number];

/** Each role's name, and what it may do. */
export const ROLE_TEXTS: Readonly<Record<Role, { readonly name: string; readonly may: string }>> = {
  read_only: { name: 'Read-only', may: 'Sees the shop and changes nothing' },
  staff: { name: 'Staff', may: 'Runs the shop: products, orders, customers, promotions' },
  owner: { name: 'Owner', may: 'Everything, with people, applications, webhooks and payments' },
};

/** Returns whether a role may do what needs at least `least`. */
export const isAtLeast = (role: Role, least: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(least);

/** Title and text of the page for a user whose role is not sufficient. */
export const refusalTexts = (role: Role, least: Role): readonly [title: string, text: string] => [
  'Your role does not allow this',
  `${least === 'owner' ? 'Only an owner' : 'Only staff or an owner'} of the shop can do this. Your role is ${ROLE_TEXTS[role].name.toLowerCase()}. Nothing was changed. Ask an owner to do it or to change your role.`,
];
