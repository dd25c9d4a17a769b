import type { Child } from 'hono/jsx';
import type { z } from 'zod';
import type { Answer, PageRequest } from '../../../../web/index.ts';
import type { Values } from '../../../editing/changes.ts';
import { type Item, root } from '../product.tsx';
import type { ProductPart } from './save-section.ts';
import type { Section, SectionState } from './section.tsx';
import { fieldInSlice, SliceFields, SlicePages, sliced, sliceFor, withSlice } from './slices.tsx';

/** A form of a section that was sent, and the parts that it changed. */
interface SentChange {
  readonly request: PageRequest;
  readonly changed: Values;
}

/** A section that edits a list of a product, in pages. */
interface ListSection<Row, Fields extends z.ZodType<Values>, Extra> {
  readonly path: `/${string}`;
  readonly submit: string;
  readonly form: Fields;
  /** The field of the product: the list's name in the form. */
  readonly key: string;
  readonly label: string;
  listOf(product: Item, request: PageRequest): readonly Row[];
  /** Further parts of the same form. */
  readonly parts?: readonly ProductPart[];
  /** Returns the API's patch for the whole list; by default the list itself. */
  write?(product: Item, list: readonly Row[], sent: SentChange): object;
  fields(state: SectionState<Extra>, rows: readonly Row[]): Child;
  readonly load?: (request: PageRequest) => Promise<Answer<Extra>>;
  readonly file?: boolean;
  readonly limits?: Section<Fields>['limits'];
  say?(value: unknown): string;
  /** Returns how many rows a page has, where rows are too large for the usual number. */
  rowsOnPage?(request: PageRequest): number | undefined;
}

/** Returns the API's patch for the whole list, in which the form has changed one page. */
function patchOf<Row, Fields extends z.ZodType<Values>, Extra>(
  of: ListSection<Row, Fields, Extra>,
  product: Item,
  sent: SentChange,
): object {
  const { request, changed } = sent;
  // The form's schema made the list of rows.
  const rows = changed[of.key] as readonly Row[] | undefined;
  const stored = of.listOf(product, request);
  const list = rows ? withSlice(stored, sliceFor(request), rows) : stored;
  return of.write?.(product, list, sent) ?? { ...changed, [of.key]: list };
}

/** Returns a section whose form holds one page of a list, beside fields of its own. */
export function listSection<Row, Fields extends z.ZodType<Values>, Extra = null>(
  of: ListSection<Row, Fields, Extra>,
): Section<Fields, Extra> {
  const { path, submit, form, key, label, load, file, limits } = of;
  const sliceOf = (request: PageRequest) => sliceFor(request, of.rowsOnPage?.(request));
  return {
    path,
    submit,
    form,
    ...(load && { load }),
    ...(file && { file }),
    ...(limits && { limits }),
    parts: (request) => [
      {
        key,
        label,
        of: (product) => sliced(of.listOf(product, request), sliceOf(request)),
        ...(of.say && { say: of.say }),
      },
      ...(of.parts ?? []),
    ],
    patch: (product, changed, request) => patchOf(of, product, { request, changed }),
    fieldOf: (path, request) => fieldInSlice(path, key, sliceFor(request)),
    fields: (state) => {
      const slice = sliceOf(state.f.request);
      return (
        <>
          <SliceFields slice={slice} />
          {of.fields(state, sliced(of.listOf(state.product, state.f.request), slice))}
        </>
      );
    },
    below: ({ f, product }) => (
      <SlicePages
        total={of.listOf(product, f.request).length}
        slice={sliceOf(f.request)}
        rowsOnPage={of.rowsOnPage?.(f.request)}
        here={`${root}/${product.id}${path}`}
      />
    ),
  };
}
