/** The paths of the settings' pages. */
export const SETTINGS_PATH = '/developer/settings';
export const SHIPPING_PATH = `${SETTINGS_PATH}/shipping` as const;

const TABS = [
  [SETTINGS_PATH, 'General'],
  [`${SETTINGS_PATH}/tax`, 'Tax'],
  [SHIPPING_PATH, 'Shipping'],
  [`${SETTINGS_PATH}/checkout`, 'Checkout and payments'],
] as const;

/** The pages of the settings, with the current one marked. */
export const Tabs = ({ here }: { readonly here: string }) => (
  <nav class="tabs" aria-label="Settings">
    {TABS.map(([href, label]) => (
      <a href={href} aria-current={href === here ? 'page' : undefined}>
        {label}
      </a>
    ))}
  </nav>
);
