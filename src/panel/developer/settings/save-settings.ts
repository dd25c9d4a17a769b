import type { z } from 'zod';
import { Settings } from '../../../tenants/index.ts';
import type { Outcome, PageRequest } from '../../../web/index.ts';
import type { EditPart, Values } from '../../editing/changes.ts';
import { type Editing, saveEdit } from '../../editing/save-edit.tsx';

/** The settings, as the API shows them. */
export type Stored = z.output<typeof Settings>;
/** A part of the settings that a form edits. */
export type SettingsPart = EditPart<Stored>;

/** What a form of the settings edits, and how it is saved. */
interface SettingsEditing extends Pick<Editing<Stored>, 'check' | 'fieldOf'> {
  readonly parts: readonly SettingsPart[];
  readonly values: Values;
  /** Returns the API's patch for changed parts: the API replaces most settings as a whole. */
  patch(stored: Stored, changed: Values): object;
}

/** Saves what a form changed of the settings, as {@link saveEdit} does. */
export const saveSettings = (
  request: PageRequest,
  { parts, ...editing }: SettingsEditing,
): Promise<Outcome> =>
  saveEdit(request, {
    path: '/v1/settings',
    ...editing,
    parts: () => parts,
    load: () => request.api({ path: '/v1/settings', answer: Settings }),
  });
