import { formPages, getPage, type Page } from '../../../web/index.ts';
import { rotateKeyPages } from './agent-keys.tsx';
import { AgentsForm, agentsPage, saveAgents } from './agents.tsx';
import { CheckoutForm, checkoutPage, saveCheckout } from './checkout.tsx';
import { GeneralForm, generalPage, saveGeneral } from './general.tsx';
import { FlatRatesForm, saveFlatRates } from './shipping/flat-rates.tsx';
import { methodPages } from './shipping/methods.tsx';
import { flatRatesPage, shippingPage } from './shipping/shipping.tsx';
import { SETTINGS_PATH } from './tabs.tsx';
import { taxPage } from './tax.tsx';
import { saveTax, TaxForm } from './tax-form.ts';

const at = (path: string) => ({ path: `${SETTINGS_PATH}${path}` as const, audience: 'developer' }) as const;

/** The pages of a shop's settings. */
export const settingsPages: readonly Page[] = [
  ...formPages({ ...at(''), form: GeneralForm }, generalPage, saveGeneral),
  ...formPages({ ...at('/tax'), form: TaxForm }, taxPage, saveTax),
  getPage(at('/shipping'), shippingPage),
  ...formPages({ ...at('/shipping/flat-rates'), form: FlatRatesForm }, flatRatesPage, saveFlatRates),
  ...methodPages,
  ...formPages({ ...at('/checkout'), needs: 'owner', form: CheckoutForm }, checkoutPage, saveCheckout),
  ...formPages({ ...at('/agents'), form: AgentsForm }, agentsPage, saveAgents),
  ...rotateKeyPages,
];
