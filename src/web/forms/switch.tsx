import type { Child } from 'hono/jsx';
import { Choice, type FieldProps } from './form.tsx';

/** The part of a form that is for one of a {@link Switch}'s options. */
interface Case {
  readonly of: string;
  readonly body: Child;
}

interface SwitchProps extends Omit<FieldProps, 'type'> {
  /** At most four. */
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly cases: readonly Case[];
}

/**
 * A select that shows only the parts of the form for the chosen option, by the stylesheet alone. Hidden parts are
 * submitted too: the form's action reads only those of the choice.
 */
export const Switch = ({ cases, ...props }: SwitchProps) => (
  <div class="switch">
    <Choice {...props} />
    {cases.map(({ of, body }) => (
      <div class={`case c${props.options.findIndex(([option]) => option === of) + 1}`}>{body}</div>
    ))}
  </div>
);
