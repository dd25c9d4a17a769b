/** The body of a list. */
export interface List {
  readonly data: readonly unknown[];
  readonly meta?: {
    readonly page?: number;
    readonly total_pages?: number;
    readonly next_cursor?: string | null;
  };
}

/** Returns the list's page parameter (`page`, or a cursor's name) of the next page; null after the last page. */
export function nextPage(parameter: string, { meta = {} }: List): number | string | null {
  const { page = 1, total_pages = 1, next_cursor = null } = meta;
  if (parameter === 'page') return page < total_pages ? page + 1 : null;
  return parameter ? next_cursor : null;
}
