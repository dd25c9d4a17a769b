import type { Child } from 'hono/jsx';
import { z } from 'zod';
import { type Filled, withSent } from '../page.ts';
import { Part } from '../ui/part.tsx';
import { describedBy, errorsBesideRows, Hints } from './hints.tsx';
import { allRows, countedRows, markerOf, ROW_BUTTON, shownRows } from './row-edits.ts';
import { labelled } from './summary.tsx';

/**
 * Parses a list of rows, `name.0.part`; blank rows are ignored. `counted` names the parts that make a row count
 * (by default all but `id`), for rows with a select or a checkbox that is never blank.
 */
export const rowsOf = <Row extends z.ZodType>(row: Row, counted?: readonly string[]) =>
  z.preprocess((rows) => countedRows(rows, counted), z.array(row));

/** One row, as its fields are rendered. */
export interface RowContext<Row> {
  /** The form's state, to be passed to the row's fields. */
  readonly f: Filled;
  /** Returns the name of a part's field. */
  at(part: string): string;
  /** The stored row; undefined for an added or submitted one, whose fields have their values from `f`. */
  readonly row: Row | undefined;
  /** Counted from 0. */
  readonly n: number;
}

interface RowsProps<Row> {
  readonly f: Filled;
  /** The list's name; its rows have fields such as `links.0.title`. */
  readonly name: string;
  readonly legend: string;
  /** A row in words, for the buttons: "file". */
  readonly one: string;
  readonly hint?: string;
  /** The stored rows. */
  readonly rows: readonly Row[];
  /** The same parts as in {@link rowsOf}. */
  readonly counted?: readonly string[];
  /** Shows buttons that move a row up and down; rows can then be dragged as well. */
  readonly ordered?: boolean;
  /** Offers no further rows. */
  readonly full?: boolean;
  /** Blank rows where there are none; 1 by default. */
  readonly spare?: number;
  readonly children: (context: RowContext<Row>) => Child;
}

/** The form's state with a list's rows numbered from 0, and how many there are; null unless it was submitted. */
function submitted<Row>({ f, name, counted }: RowsProps<Row>): { f: Filled; count: number } | null {
  const { request, formError } = f;
  if (!request.sent[markerOf(name)]) return null;
  // Errors count rows as the schema does, which ignores blank ones.
  const { sent, count } = formError ? shownRows(request.sent, name, counted) : allRows(request.sent, name);
  return { f: { request: withSent(request, sent), formError }, count };
}

/**
 * A list of rows of fields, with buttons that add, remove and move rows. Without JavaScript the buttons submit
 * the form, whose page then shows what was typed with the edited rows. Use with {@link rowsOf}.
 */
export const Rows = <Row,>(props: RowsProps<Row>) => {
  const { name, legend, one, hint, full } = props;
  const typed = submitted(props);
  const count = typed?.count ?? Math.max(props.rows.length, props.spare ?? 1);
  const described = { f: props.f, name, hint, errors: errorsBesideRows(props.f, name) };
  return (
    <fieldset
      class="entries"
      id={labelled({ f: props.f, name, label: legend })}
      aria-describedby={describedBy(described)}
    >
      <legend>{legend}</legend>
      <input type="hidden" name={markerOf(name)} value="1" />
      <Hints {...described} />
      <ol>
        {Array.from({ length: count }, (_, n) => (
          <li class="entry" draggable={props.ordered ? 'true' : undefined}>
            <fieldset class="entry-fields" aria-label={`${legend}: ${one} ${n + 1}`}>
              {props.children({
                f: typed?.f ?? props.f,
                at: (part) => `${name}.${n}.${part}`,
                row: typed ? undefined : props.rows[n],
                n,
              })}
            </fieldset>
            <RowButtons list={name} n={n} one={one} ordered={props.ordered} />
          </li>
        ))}
      </ol>
      {!full && (
        <button type="submit" class="quiet" name={ROW_BUTTON} value={`add ${name}`} formnovalidate>
          Add {/^[aeiou]/.test(one) ? 'an' : 'a'} {one}
        </button>
      )}
      <Part name="rows" />
      {props.ordered && <Part name="drag" />}
    </fieldset>
  );
};

interface RowButtonsProps {
  readonly list: string;
  readonly n: number;
  readonly one: string;
  readonly ordered: boolean | undefined;
}

const MOVES = [
  ['up', '↑', 'Move up'],
  ['down', '↓', 'Move down'],
] as const;

const RowButtons = ({ list, n, one, ordered }: RowButtonsProps) => {
  const button = ([edit, sign, words]: readonly [string, string, string]) => (
    <button
      type="submit"
      class="quiet"
      name={ROW_BUTTON}
      value={`${edit} ${list}.${n}`}
      aria-label={`${words}: ${one} ${n + 1}`}
      formnovalidate
    >
      {sign}
    </button>
  );
  return (
    <div class="entry-buttons">
      {ordered && MOVES.map(button)}
      {button(['remove', '×', 'Remove'])}
    </div>
  );
};
