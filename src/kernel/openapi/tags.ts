/**
 * The groups of the API reference, in its order: a storefront's first, then those of whoever runs the shop, the
 * platform's last. Every operation has one of them.
 */
export const TAGS = [
  {
    name: 'Products',
    description: 'Lists, search and changes of the catalogue, and the slugs of a sitemap.',
  },
  { name: 'Categories', description: 'The tree that products are sorted into.' },
  { name: 'Cart', description: 'What a shopper is about to buy, with its totals, codes and delivery.' },
  { name: 'Checkout', description: 'The way from a cart to the page on which the shopper pays.' },
  {
    name: 'Customers',
    description: 'Accounts with their sessions, addresses and orders, for shoppers and shops.',
  },
  {
    name: 'Theme',
    description: 'How a storefront looks, and in which currencies and countries the shop sells.',
  },
  { name: 'Orders', description: 'Placed orders with their payments, refunds, fulfilments and timelines.' },
  { name: 'Promotions', description: 'Discounts that apply by themselves or with a code.' },
  { name: 'Coupons', description: 'Promotions with a code, in a shorter form.' },
  { name: 'Inventory', description: 'Adjustments of stock, and what is low.' },
  { name: 'Media', description: 'Uploaded images.' },
  {
    name: 'Imports',
    description: 'Products from CSV files of Shopify, in the background, and exports to them.',
  },
  {
    name: 'Marketplace',
    description: 'All products, and those that have changed, for a marketplace to follow.',
  },
  {
    name: 'Product feeds',
    description: 'Signed addresses of product files for Google Merchant Center and others.',
  },
  { name: 'Webhooks', description: 'Where events are sent, with the deliveries; and the events themselves.' },
  { name: 'Events', description: 'What webhooks get, to pull in order.' },
  { name: 'Settings', description: "The tenant's taxes, shipping, checkout and payments." },
  { name: 'Insights', description: 'Sales, best sellers and calls of the API in a period.' },
  { name: 'Audit', description: 'Who changed what.' },
  { name: 'Request log', description: "An application's own calls, to find out why one failed." },
  { name: 'Platform: tenants', description: 'Tenants, for the super-admin.' },
  {
    name: 'Platform: applications',
    description: "A tenant's applications and their tokens, for the super-admin.",
  },
  {
    name: 'Platform: moving tenants',
    description: 'Moves of tenants between deployments and between shards, for the super-admin.',
  },
  {
    name: 'Platform: dead letters',
    description: 'Background work that failed for good, to retry, for the super-admin.',
  },
] as const;
