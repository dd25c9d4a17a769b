/** A delivery time in days, as far as it is stated. */
interface DeliveryTime {
  readonly min_days: number | null;
  readonly max_days: number | null;
}

/** Formats a delivery time: "2 to 4 days". Empty if it is not stated. */
export function deliveryTimeText({ min_days: min, max_days: max }: DeliveryTime): string {
  const days = (count: number) => `${count} ${count === 1 ? 'day' : 'days'}`;
  if (min === null) return max === null ? '' : `up to ${days(max)}`;
  if (max === null) return `from ${days(min)}`;
  return min === max ? days(max) : `${min} to ${days(max)}`;
}
