/** Sends requests one after the other; returns the count of each status. */
export async function count(times: number, request: () => Promise<{ status: number }>) {
  const statuses: Record<number, number> = {};
  for (let n = 0; n < times; n++) {
    const { status } = await request();
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
  return statuses;
}
