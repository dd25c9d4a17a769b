import { OpenAPIHono } from '@hono/zod-openapi';
import { HTTPException } from 'hono/http-exception';
import { cors, hotRead, platformGuard, tokenGuard } from './access/index.ts';
import { accessEndpoints } from './access/routes.ts';
import { cartEndpoints } from './cart/routes.ts';
import { categoryEndpoints } from './catalog/categories/routes.ts';
import { CategoryUpdated, clothingRenamed, espressoUpdated, ProductUpdated } from './catalog/index.ts';
import { productEndpoints } from './catalog/products/routes.ts';
import { sitemapEndpoints } from './catalog/sitemap/routes.ts';
import { cancelledOrder, checkoutPages, paymentCallbacks } from './checkout/index.ts';
import { checkoutEndpoints } from './checkout/routes.ts';
import { CustomerEmailChanged, customerGuard, milaMoved } from './customers/index.ts';
import { customerRecordEndpoints } from './customers/records/routes.ts';
import { customerEndpoints } from './customers/routes.ts';
import { demoPages } from './demo/index.ts';
import { deadLetterEndpoints } from './events/dead-letters/routes.ts';
import { feedEndpoints } from './feed/routes.ts';
import { importEndpoints } from './imports/routes.ts';
import { espressoSold, StockChanged } from './inventory/index.ts';
import { inventoryEndpoints } from './inventory/routes.ts';
import type { App } from './kernel/http/context.ts';
import { allowedMethods, type Endpoint } from './kernel/http/endpoint.ts';
import { mount } from './kernel/http/mount.ts';
import { methodNotAllowed, problem, readOnly, reportError } from './kernel/http/problem.ts';
import { requestId, respond, respondJson } from './kernel/http/response.ts';
import { refuseBadKeys } from './kernel/http/startup.ts';
import { staticFile } from './kernel/http/static-file.ts';
import { openApiDocument } from './kernel/openapi/document.ts';
import { mediaFiles } from './media/index.ts';
import { mediaEndpoints } from './media/routes.ts';
import { fulfilmentEndpoints } from './orders/fulfilments/routes.ts';
import { firstParcelSent, Order, OrderFulfilled, paidOrder, placedOrder } from './orders/index.ts';
import { orderEndpoints } from './orders/routes.ts';
import { panelPages } from './panel/index.ts';
import { promotionEndpoints } from './promotions/routes.ts';
import { searchEndpoints } from './search/routes.ts';
import { tenantEndpoints } from './tenants/routes.ts';
import { themeEndpoints } from './theme/routes.ts';
import { mountPages, type Page } from './web/index.ts';
import { deliveryEndpoints } from './webhooks/delivery/routes.ts';
import { documentEvents } from './webhooks/index.ts';
import { webhookEndpoints } from './webhooks/registrations/routes.ts';

/** Every API endpoint, in the order of the OpenAPI document. */
export const endpoints: readonly Endpoint[] = [
  ...productEndpoints,
  ...categoryEndpoints,
  ...sitemapEndpoints,
  ...mediaEndpoints,
  ...searchEndpoints,
  ...cartEndpoints,
  ...promotionEndpoints,
  ...inventoryEndpoints,
  ...importEndpoints,
  ...feedEndpoints,
  ...customerEndpoints,
  ...customerRecordEndpoints,
  ...checkoutEndpoints,
  ...orderEndpoints,
  ...fulfilmentEndpoints,
  ...themeEndpoints,
  ...webhookEndpoints,
  ...deliveryEndpoints,
  ...deadLetterEndpoints,
  ...tenantEndpoints,
  ...accessEndpoints,
];

/** Every page of the panels and the demo storefront. Guards, router and tests are derived from this list. */
export const pages: readonly Page[] = [...panelPages, ...demoPages];

/** Content-Security-Policy of `/docs`: Swagger UI needs inline styles and images from data URLs. */
const DOCS_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'";

/** The router: request id, preflights, endpoints with their guards, errors. */
export const app = new OpenAPIHono<App>();

app.use(requestId);
app.use('/v1/*', cors);

mount(app, endpoints, { token: tokenGuard, platform: platformGuard, customer: customerGuard });

documentEvents(
  app,
  {
    'order.created': Order,
    'order.paid': Order,
    'order.cancelled': Order,
    'order.fulfilled': OrderFulfilled,
    'product.updated': ProductUpdated,
    'category.updated': CategoryUpdated,
    'stock.changed': StockChanged,
    'customer.email_changed': CustomerEmailChanged,
  },
  {
    'order.created': placedOrder,
    'order.paid': paidOrder,
    'order.cancelled': cancelledOrder,
    'order.fulfilled': firstParcelSent,
    'product.updated': espressoUpdated,
    'category.updated': clothingRenamed,
    'stock.changed': espressoSold,
    'customer.email_changed': milaMoved,
  },
);

app.route(
  '/',
  mountPages(
    pages,
    () => endpoints,
    (request, env, ctx) => app.fetch(request, env, ctx),
  ),
);

app.route('/', checkoutPages);
app.route('/', paymentCallbacks);
app.route('/', mediaFiles);

app.get('/healthz', (c) => respondJson(c, { status: 'ok' }, 200)).all(readOnly);
app
  .get('/v1/openapi.json', (c) =>
    respond(c, openApiDocument(app, endpoints), {
      status: 200,
      headers: { 'Content-Type': 'application/json' },
    }),
  )
  .all(readOnly);

/** The API reference page, served from static files. */
app.get('/docs/*', (c) => staticFile(c, { 'Content-Security-Policy': DOCS_POLICY })).all(readOnly);

app.notFound((c) => {
  const methods = allowedMethods(endpoints, c.req.path);
  return methods.length === 0 ? problem(c, { code: 'not_found' }) : methodNotAllowed(c, methods);
});

app.onError(async (error, c) => {
  // A cached read may fail before the limiter responds; the response needs the limiter's headers.
  await c.get('admitted');
  if (error instanceof HTTPException && error.status === 415) {
    return problem(c, { code: 'unsupported_media_type' });
  }
  return problem(c, { code: reportError(error, c.get('requestId')) });
});

/**
 * Serves a request: 503 under an invalid master key, hot reads from memory, everything else by the router.
 */
export const serve = (request: Request, env: Env, ctx: ExecutionContext): Response | Promise<Response> =>
  refuseBadKeys(env) ?? hotRead({ env, ctx }, request) ?? app.fetch(request, env, ctx);
