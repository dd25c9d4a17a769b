import { z } from 'zod';
import { lowStockOf, PLANS } from '../../../tenants/index.ts';
import {
  Facts,
  Field,
  Form,
  type FormError,
  type Outcome,
  optionalText,
  type PageRequest,
  wholeNumber,
} from '../../../web/index.ts';
import { EditedParts } from '../../editing/save-edit.tsx';
import { type SettingsPart, saveSettings } from './save-settings.ts';
import { SETTINGS_PATH, SettingsTabs, titleOf } from './tabs.tsx';

/** The page of what the platform has set, of low stock, and of the address of the shop's product pages. */
export const generalPage = async (request: PageRequest, formError: FormError | null) => {
  const { tenant } = await request.developer();
  const { requestsPerMinute } = PLANS[tenant.plan];
  const f = { request, formError };
  const body = (
    <>
      <SettingsTabs request={request} here={SETTINGS_PATH} />
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
      <Form request={request} action={SETTINGS_PATH} submit="Save" unsaved>
        <EditedParts f={f} parts={PARTS} stored={tenant.settings} />
        <Field
          f={f}
          name="low_stock_threshold"
          label="Low stock"
          value={String(lowStockOf(tenant.settings))}
          hint="The overview and the list of products warn when this many or fewer are left: 0 to 1,000"
          attributes={{ inputmode: 'numeric', maxlength: 4, required: true }}
        />
        <Field
          f={f}
          name="feeds.product_url"
          label="Address of a product in your shop"
          value={tenant.settings.feeds?.product_url}
          hint="Such as https://shop.example.com/p/{slug}?variant={variant_id}. Product feeds link to it, and are empty without it"
          maxlength={1000}
        />
      </Form>
    </>
  );
  return { ...titleOf(SETTINGS_PATH), body };
};

/** The form of the general settings. */
export const GeneralForm = z.object({ low_stock_threshold: wholeNumber, 'feeds.product_url': optionalText });

const PARTS: readonly SettingsPart[] = [
  // A threshold that was only shown as the default stays the default.
  { key: 'low_stock_threshold', label: 'Low stock', of: lowStockOf },
  {
    key: 'feeds.product_url',
    label: 'Address of a product in your shop',
    of: ({ feeds }) => feeds?.product_url ?? null,
  },
];

/** Saves the general settings. */
export const saveGeneral = (request: PageRequest, values: z.output<typeof GeneralForm>): Promise<Outcome> =>
  saveSettings(request, {
    parts: PARTS,
    values,
    patch: (_, { 'feeds.product_url': product_url, ...plain }) => ({
      ...plain,
      ...(product_url !== undefined && { feeds: { product_url } }),
    }),
  });
