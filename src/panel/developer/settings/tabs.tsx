import { type PageRequest, Tabs } from '../../../web/index.ts';

/** The paths of the settings' pages. */
export const SETTINGS_PATH = '/developer/settings';
export const TAX_PATH = `${SETTINGS_PATH}/tax` as const;
export const SHIPPING_PATH = `${SETTINGS_PATH}/shipping` as const;
export const FLAT_RATES_PATH = `${SHIPPING_PATH}/flat-rates` as const;
export const AGENTS_PATH = `${SETTINGS_PATH}/agents` as const;

/** The breadcrumbs of the pages below the shipping settings. */
export const shippingTrail = [
  [SETTINGS_PATH, 'Settings'],
  [SHIPPING_PATH, 'Shipping'],
] as const;

const TABS = [
  [SETTINGS_PATH, 'General'],
  [TAX_PATH, 'Tax'],
  [SHIPPING_PATH, 'Shipping'],
  [`${SETTINGS_PATH}/checkout`, 'Checkout and payments'],
  [AGENTS_PATH, 'Agents'],
] as const;

/** Returns the title of a page of the settings. */
export const titleOf = (here: string) => ({
  title: 'Settings',
  section: TABS.find(([href]) => href === here)?.[1],
});

interface TabsProps {
  readonly request: PageRequest;
  readonly here: string;
}

/** The pages of the settings that the user's role opens, with the current one marked. */
export const SettingsTabs = ({ request, here }: TabsProps) => (
  <Tabs label="Settings" here={here} links={TABS.filter(([href]) => request.may('get', href))} />
);
