import {
  type Answer,
  type ApiCall,
  asFormError,
  clip,
  type Filled,
  type FormError,
  type Outcome,
  type PageRequest,
  renameErrors,
  Table,
} from '../../web/index.ts';
import { type Conflict, compare, type EditPart, type Values, writeShown } from './changes.ts';

/** What a form edits, and how it is saved. */
export interface Editing<Stored> {
  /** The API's path, which takes a patch; with `If-Match` if `load` returns an `ETag`. */
  readonly path: string;
  /** Calls the API with the patch; by default as the tenant. */
  call?(call: ApiCall<unknown>, stored: Stored): Promise<Answer<unknown>>;
  /** The page that is shown after saving; by default the form's own. */
  readonly to?: string;
  /** Loads what is stored. */
  load(): Promise<Answer<Stored>>;
  /** Returns the parts of the form, which may depend on what is stored. */
  parts(stored: Stored): readonly EditPart<Stored>[];
  /** The form's values by the parts' keys. */
  readonly values: Values;
  /** Returns errors by field where what is stored by now forbids the form's values. */
  check?(stored: Stored): Readonly<Record<string, string[]>>;
  /** Returns the API's patch for changed parts; by default the parts themselves. */
  patch?(stored: Stored, changed: Values): object;
  /** Returns the form's field of an error's path of the API; by default the path itself. */
  fieldOf?(path: string): string;
}

/** The code of the error that {@link saveEdit} returns for parts that someone else has changed, too. */
const EDIT_CONFLICT = 'edit_conflict';
/** Largest number of attempts while others save the same thing. */
const MAX_ATTEMPTS = 3;
/** Longest value in the list of conflicts, in UTF-16 units. */
const MAX_SHOWN = 160;

/**
 * Saves what a form changed against what it was shown with, and nothing else. Parts that someone else has changed
 * meanwhile are not overwritten: the form is shown again with both values, unless the choice was made there.
 */
export async function saveEdit<Stored>(request: PageRequest, editing: Editing<Stored>): Promise<Outcome> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const outcome = await saveOnce(request, editing);
    if (outcome) return outcome;
  }
  return asFormError('Others are saving the same right now. Save again.', 409);
}

/** Reads what is stored and saves it with the form's changes. Returns null if somebody else has saved it in between. */
async function saveOnce<Stored>(request: PageRequest, editing: Editing<Stored>): Promise<Outcome | null> {
  const answer = await editing.load();
  if (!answer.ok) return answer;
  const stored = answer.value;
  const errors = editing.check?.(stored) ?? {};
  if (Object.keys(errors).length > 0) {
    return { formError: { message: 'Correct the marked fields.', errors, status: 422 } };
  }
  const edit = resolveEdit(request, stored, { parts: editing.parts(stored), values: editing.values });
  if ('formError' in edit) return edit;
  const { changed, note } = edit;
  const to = (editing.to ?? request.c.req.path) + pageOf(request);
  if (Object.keys(changed).length === 0) return { to, note };
  const body = editing.patch?.(stored, changed) ?? changed;
  const ask = { method: 'PATCH', path: editing.path, match: answer.etag, body } as const;
  const saved = await (editing.call?.(ask, stored) ?? request.api(ask));
  if (saved.ok) return { to, note };
  if (saved.formError.code === 'precondition_failed') return null;
  return { formError: renameErrors(saved.formError, (path) => editing.fieldOf?.(path) ?? path) };
}

/** What a form changes, once nothing that someone else has changed is in its way. */
interface ResolvedEdit {
  /** The parts to save. */
  readonly changed: Values;
  readonly note: 'saved' | 'merged';
  /** Whether the sender chose to replace what someone else has changed. */
  readonly isForced: boolean;
}

/**
 * Compares a form with what it was shown with and with what is stored by now, as {@link saveEdit} does. Returns the
 * error that asks which values to keep where both were changed.
 */
export function resolveEdit<Stored>(
  request: PageRequest,
  stored: Stored,
  { parts, values }: { readonly parts: readonly EditPart<Stored>[]; readonly values: Values },
): ResolvedEdit | { readonly formError: FormError } {
  const [choice, resolved] = resolution(request);
  const shown = `${request.sent._shown?.[0] ?? ''} ${resolved}`;
  const { mine, contested, conflicts, hasOthers } = compare(parts, stored, { values, shown });
  if (conflicts.length > 0 && choice !== 'theirs') {
    const asked = parts.filter(({ key }) => key in contested);
    return { formError: conflictError(conflicts, `${resolved} ${writeShown(asked, stored)}`.trim()) };
  }
  const note = hasOthers && Object.keys(contested).length === 0 ? 'merged' : 'saved';
  return { changed: mine, note, isForced: choice === 'mine' };
}

/** Returns the page of a paged list to which the form belongs, as a query. */
function pageOf({ sent }: PageRequest): string {
  const page = Number(sent._page?.[0]);
  return Number.isSafeInteger(page) && page > 1 ? `?page=${page}` : '';
}

/** Returns the choice of a conflict. With the form's values come fingerprints of what was shown beside them. */
function resolution({ sent }: PageRequest): [choice: string, resolved: string] {
  const [, choice = '', shown = ''] = /^(mine|theirs)(?: (.*))?$/.exec(sent._resolve?.[0] ?? '') ?? [];
  return [choice, choice === 'mine' ? shown : ''];
}

const conflictError = (conflicts: readonly Conflict[], shown: string): FormError => ({
  message:
    'Someone else changed the same fields while you edited them. Nothing is saved yet. Choose below which values to keep.',
  errors: {},
  status: 409,
  code: EDIT_CONFLICT,
  details: { conflicts, shown },
});

interface EditedProps<Stored> {
  readonly f: Filled;
  readonly parts: readonly EditPart<Stored>[];
  readonly stored: Stored;
}

/**
 * The hidden field with what a form was shown with, where an earlier one is kept while the form is corrected, and the
 * conflicts with what others have changed meanwhile. Every form that {@link saveEdit} saves begins with it.
 */
export const EditedParts = <Stored,>({ f, parts, stored }: EditedProps<Stored>) => (
  <>
    <input type="hidden" name="_shown" value={f.request.sent._shown?.[0] ?? writeShown(parts, stored)} />
    <ConflictNotice f={f} />
  </>
);

/** Returns whether a part is still as the submitted form was shown with it, of a form that begins with {@link EditedParts}. */
export const isAsShown = <Stored,>({ sent }: PageRequest, part: EditPart<Stored>, stored: Stored): boolean =>
  sent._shown?.[0]?.includes(writeShown([part], stored)) ?? false;

/** The conflicts of a form, field by field, with the choice between both values. */
const ConflictNotice = ({ f }: { f: Filled }) => {
  const { code, details } = f.formError ?? {};
  if (code !== EDIT_CONFLICT) return null;
  // The details are those of conflictError: no API error has this code.
  const { conflicts, shown } = details as { conflicts: readonly Conflict[]; shown: string };
  return (
    <div class="note warn">
      <Table
        label="Fields that both of you changed"
        head={['Field', 'Yours', 'Theirs']}
        rows={conflicts.map(({ label, yours, theirs }) => [
          label,
          clip(yours, MAX_SHOWN),
          clip(theirs, MAX_SHOWN),
        ])}
      />
      <p class="actions">
        <button type="submit" name="_resolve" value={`mine ${shown}`}>
          Keep mine
        </button>
        <button type="submit" class="quiet" name="_resolve" value="theirs">
          Take theirs
        </button>
      </p>
    </div>
  );
};
