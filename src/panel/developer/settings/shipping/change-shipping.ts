import type { z } from 'zod';
import type { ShippingMethodSettings } from '../../../../shipping/index.ts';
import { Settings } from '../../../../tenants/index.ts';
import type { Answer, FormError, PageRequest } from '../../../../web/index.ts';

/** The shipping settings. */
export type Shipping = z.output<typeof Settings>['shipping'];
/** A shipping method as the settings have it. */
export type Method = z.output<typeof ShippingMethodSettings>;

/** Replaces the shipping settings by what `change` makes of the stored ones, unless it returns an error, or null for none. */
export async function changeShipping(
  request: PageRequest,
  change: (stored: Shipping) => object | { readonly formError: FormError } | null,
): Promise<Answer<unknown>> {
  const stored = await request.api({ path: '/v1/settings', answer: Settings });
  if (!stored.ok) return stored;
  const shipping = change(stored.value.shipping);
  if (shipping === null) return stored;
  if ('formError' in shipping) return { ok: false, formError: shipping.formError };
  return request.api({
    method: 'PATCH',
    path: '/v1/settings',
    match: stored.etag,
    body: { shipping },
  });
}
