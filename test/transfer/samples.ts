import { jpeg } from '../media/images.ts';
import type { Samples } from '../support/contract/sample.ts';
import { type World, world } from '../support/world.ts';
import { headerNow, sha256Of, suspend } from './transferring.ts';

/** An image; each call of `jpeg` makes another one. */
const FILE = jpeg(16, 16);

/** A suspended tenant beside the test's own. */
async function suspended(): Promise<{ slug: string }> {
  const shop = await world();
  await suspend(shop);
  return { slug: shop.slug };
}

const former = (): object => ({
  table: 'former_slugs',
  row: { kind: 'product', slug: `former-${crypto.randomUUID()}`, owner_id: 1, position: 1 },
});

export const samples: Samples = {
  'GET /admin/v1/tenants/{slug}/export': { params: async ({ slug }: World) => ({ slug }) },
  'PUT /admin/v1/tenants/{slug}/import': {
    params: suspended,
    body: async (_, params) => ({ header: await headerNow(String(params.slug)), records: [former()] }),
  },
  'PUT /admin/v1/tenants/{slug}/import/media/{hash}': {
    params: async () => ({ ...(await suspended()), hash: await sha256Of(FILE) }),
    body: FILE,
  },
};
