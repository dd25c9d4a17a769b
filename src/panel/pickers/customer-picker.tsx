import type { z } from 'zod';
import { CustomerList } from '../../customers/index.ts';
import { type Answer, clip, type PageRequest } from '../../web/index.ts';
import { MAX_CHOSEN, MAX_FOUND, type PickerProps } from './choices.tsx';
import { type FoundChoices, FoundPicker, loadFound, type Wanted } from './found-picker.tsx';

/** Longest e-mail and name in a picker, in UTF-16 units. */
const MAX_EMAIL = 60;
const MAX_NAME = 30;

const asChoice = ({ id, name, email }: z.output<typeof CustomerList>['data'][number]) => ({
  id,
  label: clip(email, MAX_EMAIL),
  ...(name && { detail: clip(name, MAX_NAME) }),
});

/** Loads what a customer picker shows. */
export function loadCustomers(request: PageRequest, wanted: Wanted): Promise<Answer<FoundChoices>> {
  const list = async (query: Record<string, string>) => {
    const path = `/v1/customers?${new URLSearchParams(query)}`;
    const answer = await request.api({ path, answer: CustomerList });
    if (!answer.ok) return answer;
    const { data, meta } = answer.value;
    return { ok: true as const, value: { entries: data.map(asChoice), total: meta.total } };
  };
  return loadFound({ request }, wanted, {
    byIds: (ids) => list({ ids: ids.join(','), limit: String(MAX_CHOSEN) }),
    search: (q) => list({ q, limit: String(MAX_FOUND) }),
  });
}

interface CustomerPickerProps extends PickerProps {
  /** What {@link loadCustomers} has loaded. */
  readonly customers: FoundChoices;
  /** The ids of the stored choice, shown until the form is submitted. */
  readonly stored: readonly number[];
}

/** A picker for customers, found by e-mail or name. */
export const CustomerPicker = ({ customers, ...props }: CustomerPickerProps) => (
  <FoundPicker {...props} choices={customers} kind="customer" by="e-mail or name" />
);
