import { z } from 'zod';
import { PLANS } from '../../../tenants/index.ts';
import {
  Facts,
  Field,
  Form,
  type FormError,
  type Outcome,
  optionalText,
  type PageRequest,
} from '../../../web/index.ts';
import { SETTINGS_PATH, Tabs } from './tabs.tsx';

/** The page of what the platform has set, and of the address of the shop's product pages. */
export const generalPage = async (request: PageRequest, trouble: FormError | null) => {
  const { tenant } = await request.developer();
  const { requestsPerMinute } = PLANS[tenant.plan];
  const body = (
    <>
      <Tabs request={request} here={SETTINGS_PATH} />
      <Facts
        of={{
          Name: tenant.name,
          'Short name': <code>{tenant.slug}</code>,
          'Main currency': tenant.currency,
          Currencies: tenant.currencies.join(', '),
          Plan: `${tenant.plan}: ${requestsPerMinute} requests per minute for each application`,
        }}
      />
      <p class="hint">The operator of the platform sets name, currencies and plan.</p>
      <Form request={request} action={SETTINGS_PATH} submit="Save">
        <Field
          f={{ request, trouble }}
          name="feeds.product_url"
          label="Address of a product in your shop"
          value={tenant.settings.feeds?.product_url ?? ''}
          hint="Such as https://shop.example.com/p/{slug}?variant={variant_id}. Product feeds link to it, and are empty without it"
          attributes={{ maxlength: 1000 }}
        />
      </Form>
    </>
  );
  return { title: 'Settings', body };
};

/** The form of the general settings. */
export const GeneralForm = z.object({ 'feeds.product_url': optionalText });

/** Saves the general settings. */
export async function saveGeneral(
  request: PageRequest,
  input: z.output<typeof GeneralForm>,
): Promise<Outcome> {
  const body = { feeds: { product_url: input['feeds.product_url'] } };
  const changed = await request.api({ method: 'PATCH', path: '/v1/settings', body });
  return changed.ok ? { to: SETTINGS_PATH, note: 'saved' } : changed;
}
