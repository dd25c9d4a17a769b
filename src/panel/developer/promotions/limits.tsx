import { Choice, Field, type Filled, Instant, Tick } from '../../../web/index.ts';
import type { Promotion } from './sentence.tsx';

const COMBINES = [
  ['no', 'Alone: the better one applies'],
  ['yes', 'Together with others that combine'],
] as const;

interface LimitsProps {
  readonly f: Filled;
  /** Null for a new promotion. */
  readonly known: Promotion | null;
}

/** The fields for period, redemptions, combination and priority. */
export const Limits = ({ f, known }: LimitsProps) => (
  <>
    <p class="hint">A date or number that is left empty sets no limit.</p>
    <div class="pair">
      <Instant f={f} name="starts_at" label="Starts (UTC)" value={known?.starts_at} />
      <Instant f={f} name="ends_at" label="Ends (UTC)" value={known?.ends_at} />
    </div>
    <div class="pair">
      <Field f={f} name="max_uses" label="Orders in all" type="number" value={known?.max_uses} />
      <Field
        f={f}
        name="max_uses_per_customer"
        label="Orders per customer"
        type="number"
        value={known?.max_uses_per_customer}
      />
    </div>
    <Choice
      f={f}
      name="combinable"
      label="Other promotions"
      options={COMBINES}
      value={known?.combinable ? 'yes' : 'no'}
    />
    <Field
      f={f}
      name="priority"
      label="Priority"
      type="number"
      value={known?.priority ?? 100}
      hint="Among promotions that combine, the lowest number applies first"
      required
      attributes={{ min: 0, max: 1000 }}
    />
    <Tick f={f} name="active" label="Active" on={known?.active ?? true} />
  </>
);
