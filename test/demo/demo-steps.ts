import type { Browser } from '../support/fixtures/browser.ts';

/** Fills in the form of a page of the demo. */
export async function send(shopper: Browser, path: string, fields: Record<string, string>) {
  await shopper.get(path);
  return shopper.submit(path, fields);
}

export const add = (
  shopper: Browser,
  { body }: { body: { id: number } },
  fields: Record<string, string> = {},
) => send(shopper, `/demo/products/${body.id}`, { quantity: '1', ...fields });
