import type { Child } from 'hono/jsx';
import { clip } from '../../web/index.ts';

/** Longest legend or label of a picker, in UTF-16 units. */
export const MAX_LABEL_LENGTH = 60;

interface ChipsProps {
  readonly legend: string;
  /** Whether all options have the same width, as times do. */
  readonly times?: boolean;
  readonly children: Child;
}

/** A choice among values that are shown side by side. */
export const Chips = ({ legend, times = false, children }: ChipsProps) => (
  <fieldset class={times ? 'chips times' : 'chips'}>
    <legend dir="auto">{clip(legend, MAX_LABEL_LENGTH)}</legend>
    <div>{children}</div>
  </fieldset>
);

interface ChipProps {
  readonly name: string;
  readonly value: string;
  readonly label: string;
  readonly checked: boolean;
  /** Several can be chosen. */
  readonly many?: boolean;
  readonly disabled?: boolean;
  /** Why it can't be bought. */
  readonly off?: string;
  readonly extra?: Child;
}

/** A value that can be chosen. */
export const Chip = ({
  name,
  value,
  label,
  checked,
  many = false,
  disabled = false,
  off,
  extra,
}: ChipProps) => (
  <label class={off ? 'off' : undefined}>
    <input
      type={many ? 'checkbox' : 'radio'}
      name={name}
      value={value}
      checked={checked}
      disabled={disabled}
      required={!many}
    />
    <span>
      <span dir="auto">{clip(label, MAX_LABEL_LENGTH)}</span>
      {extra && <small>{extra}</small>}
      {off && <small>{off}</small>}
    </span>
  </label>
);
