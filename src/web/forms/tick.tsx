import { type Filled, isSent } from '../page.ts';
import { describedBy, Hints } from './hints.tsx';
import { labelled } from './summary.tsx';

interface TickProps {
  readonly f: Filled;
  readonly name: string;
  readonly label: string;
  /** The stored state, shown until the form is submitted. */
  readonly on: boolean;
  readonly hint?: string;
}

/** A single checkbox; read it with `checked`. */
export const Tick = ({ f, name, label, on, hint }: TickProps) => {
  const { request } = f;
  return (
    <div>
      <label class="check">
        <input
          type="checkbox"
          id={labelled({ f, name, label })}
          name={name}
          value="yes"
          checked={isSent(request) ? request.sent[name] !== undefined : on}
          aria-describedby={describedBy({ f, name, hint })}
        />
        <span>{label}</span>
      </label>
      <Hints f={f} name={name} hint={hint} />
    </div>
  );
};
