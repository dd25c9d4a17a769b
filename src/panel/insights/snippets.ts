/** What the snippets of the quick start name: the tenant's own things. */
interface SnippetNames {
  /** The service's address: `https://api.example.com`. */
  readonly base: string;
  /** Name and environment variable of the application that sells. */
  readonly seller: TokenName;
  /** The same of the application that may register webhooks. */
  readonly registrar: TokenName;
  /** An expression for the id of a product that can be bought. */
  readonly productId: string;
  /** Where the hosted checkout returns to. */
  readonly returnUrl: string;
}

/** An application's name, and the environment variable that the snippets read its token from. */
export interface TokenName {
  readonly name: string;
  readonly variable: string;
}

/** One step of the quick start, as shell commands and as TypeScript. */
export interface Step {
  readonly id: string;
  readonly title: string;
  readonly curl: string;
  readonly code: string;
}

/** Returns the environment variable for an application's token: "Web shop" → `WEB_SHOP_TOKEN`. */
export function variableOf({ id, name }: { readonly id: number; readonly name: string }): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .slice(0, 30)
    .replace(/^_+|_+$/g, '');
  return `${/^[A-Z]/.test(words) ? words : `APPLICATION_${id}`}_TOKEN`;
}

const json = "-H 'Content-Type: application/json'";
const auth = ({ variable }: TokenName): string => `\\\n  -H "Authorization: Bearer $${variable}"`;

const setUp = ({ base, seller }: SnippetNames): Step => ({
  id: 'set-up',
  title: 'Set up',
  curl: `BASE=${base}\n${seller.variable}=sfe_live_…   # the token of "${seller.name}"`,
  code: `import { createClient, verifyWebhook } from '@storefront-edge/client';

const client = createClient({
  baseUrl: '${base}',
  token: process.env.${seller.variable} ?? '', // of "${seller.name}"
});`,
});

const listProducts = ({ seller }: SnippetNames): Step => ({
  id: 'products',
  title: 'List products',
  curl: `curl "$BASE/v1/products?limit=5" ${auth(seller)}`,
  code: `const { data } = await client.products.list({ limit: 5 });
console.log(data.map(({ name, price, currency }) => \`\${name} \${price} \${currency}\`));`,
});

const addToCart = ({ seller, productId }: SnippetNames): Step => ({
  id: 'cart',
  title: 'Add to the cart',
  curl: `curl "$BASE/v1/cart/items" ${auth(seller)} \\
  ${json} \\
  -d '{"product_id": ${productId}, "quantity": 1}'
CART=ct_…   # "cart_token" of the response`,
  code: `const cart = await client.cart.addItem({ product_id: ${productId}, quantity: 1 });
console.log(cart.totals.grand_total, cart.currency);`,
});

const checkOut = ({ seller, returnUrl }: SnippetNames): Step => ({
  id: 'checkout',
  title: 'Check out',
  curl: `curl "$BASE/v1/checkout/seamless" ${auth(seller)} \\
  ${json} \\
  -d "{\\"cart_token\\": \\"$CART\\", \\"return_url\\": \\"${returnUrl}\\"}"`,
  code: `const { redirect_url } = await client.checkout.start({
  return_url: '${returnUrl}',
});
console.log(redirect_url); // Send the shopper there.`,
});

const receiveWebhook = ({ registrar }: SnippetNames): Step => ({
  id: 'webhook',
  title: 'Receive a webhook',
  curl: `curl "$BASE/v1/webhooks" ${auth(registrar)} \\
  ${json} \\
  -d '{"url": "https://shop.example.com/hooks", "events": ["order.paid"]}'
WEBHOOK_SECRET=whsec_…   # "secret" of the response`,
  code: `// Your server's handler of POST /hooks, with the request that arrived:
const event = await verifyWebhook(await request.text(), request.headers, {
  secret: process.env.WEBHOOK_SECRET ?? '',
});
if (event.type === 'order.paid') console.log(event.data.number);`,
});

/** Returns the steps from the first call to the first webhook, in order. */
export const quickStartSteps = (names: SnippetNames): readonly Step[] =>
  [setUp, listProducts, addToCart, checkOut, receiveWebhook].map((step) => step(names));
