import type { SQL } from 'drizzle-orm';

/** Something that stored data must hold, as a query for the rows of a tenant that break it. */
export interface Rule {
  /** What holds, as a sentence. */
  readonly name: string;
  readonly broken: (tenantId: number) => SQL;
}

/** Returns a rule whose query is a template in which the only parameter is the tenant. */
export const rule = (name: string, broken: (tenantId: number) => SQL): Rule => ({ name, broken });

/** A rule that is broken, and by what. */
export interface Fault {
  readonly rule: string;
  readonly rows: readonly object[];
}
