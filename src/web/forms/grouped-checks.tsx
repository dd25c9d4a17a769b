import { type Filled, isSent } from '../page.ts';
import { Part } from '../ui/part.tsx';
import { describedBy, Hints } from './hints.tsx';
import { labelled } from './summary.tsx';

/** Checkboxes under a title. */
interface CheckGroup {
  readonly title: string;
  readonly options: readonly (readonly [value: string, words: string])[];
}

/** Returns values as checkboxes in groups, by what each is called and where it belongs. */
export const groupChecks = <Value extends string>(
  values: readonly Value[],
  words: Readonly<Record<Value, readonly [group: string, words: string]>>,
): CheckGroup[] =>
  [...Map.groupBy(values, (value) => words[value][0])].map(([title, own]) => ({
    title,
    options: own.map((value) => [value, words[value][1]] as const),
  }));

interface GroupedChecksProps {
  readonly f: Filled;
  readonly name: string;
  readonly legend: string;
  readonly hint?: string;
  readonly groups: readonly CheckGroup[];
  readonly checked: readonly string[];
}

/** Checkboxes in groups, each with what it means in words. */
export const GroupedChecks = ({ f, name, legend, hint, groups, checked }: GroupedChecksProps) => {
  const on = new Set(isSent(f.request) ? (f.request.sent[name] ?? []) : checked);
  return (
    <fieldset
      id={labelled({ f, name, label: legend })}
      class="grouped"
      aria-describedby={describedBy({ f, name, hint })}
    >
      <Part name="grouped" />
      <legend>{legend}</legend>
      <Hints f={f} name={name} hint={hint} />
      {groups.map(({ title, options }) => (
        <fieldset>
          <legend>{title}</legend>
          {options.map(([value, words]) => (
            <label class="check">
              <input type="checkbox" name={name} value={value} checked={on.has(value)} />
              <span>
                {words} <code>{value}</code>
              </span>
            </label>
          ))}
        </fieldset>
      ))}
    </fieldset>
  );
};
