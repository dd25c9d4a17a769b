import type { z } from '@hono/zod-openapi';
import { Hono } from 'hono';
import { cors, hotRead, platformGuard, tokenGuard } from './access/index.ts';
import { requestLogEndpoints } from './access/request-log/routes.ts';
import { accessEndpoints } from './access/routes.ts';
import { recordCalls } from './audit/index.ts';
import { auditEndpoints } from './audit/routes.ts';
import { abandonedCart, CartAbandoned } from './cart/index.ts';
import { cartEndpoints } from './cart/routes.ts';
import { bulkEndpoints } from './catalog/bulk/routes.ts';
import { categoryEndpoints } from './catalog/categories/routes.ts';
import {
  CategoryUpdated,
  categoriesShowing,
  clothingRenamed,
  describedProducts,
  espressoUpdated,
  ProductUpdated,
} from './catalog/index.ts';
import { lowStockEndpoints } from './catalog/low-stock/routes.ts';
import { pictureUsesEndpoints } from './catalog/picture-uses/routes.ts';
import { productEndpoints } from './catalog/products/routes.ts';
import { sitemapEndpoints } from './catalog/sitemap/routes.ts';
import { cancelledOrder, checkoutPages, paymentCallbacks } from './checkout/index.ts';
import { checkoutEndpoints } from './checkout/routes.ts';
import { addressEndpoints } from './customers/addresses/routes.ts';
import { guestOrderEndpoints } from './customers/guests/routes.ts';
import {
  CustomerCreated,
  CustomerEmailChanged,
  customerGuard,
  milaMoved,
  milaRegistered,
  readShopper,
} from './customers/index.ts';
import { customerRecordEndpoints } from './customers/records/routes.ts';
import { customerEndpoints } from './customers/routes.ts';
import { demoErrors, demoPages, demoStylesheet } from './demo/index.ts';
import { deadLetterEndpoints } from './events/dead-letters/routes.ts';
import { eventFeedEndpoints } from './events/feed/routes.ts';
import { type EventData, type EventExamples, eventSchemas } from './events/index.ts';
import { feedFiles } from './feed/index.ts';
import { feedEndpoints } from './feed/marketplace/routes.ts';
import { productFeedEndpoints } from './feed/product-feeds/routes.ts';
import { exportEndpoints } from './imports/export/routes.ts';
import { importEndpoints } from './imports/routes.ts';
import { insightsEndpoints } from './insights/routes.ts';
import { espressoSold, StockChanged } from './inventory/index.ts';
import { inventoryEndpoints } from './inventory/routes.ts';
import { isMoving } from './kernel/data/fences.ts';
import type { App } from './kernel/http/context.ts';
import { allowedMethods, type Endpoint } from './kernel/http/endpoint.ts';
import { mount } from './kernel/http/mount.ts';
import { methodNotAllowed, problem, readOnly, reportError } from './kernel/http/problem.ts';
import { requestId, respond } from './kernel/http/response.ts';
import { refuseBadKeys } from './kernel/http/startup.ts';
import { staticFile } from './kernel/http/static-file.ts';
import { keepContext, observed } from './kernel/observe/observe.ts';
import { openApiDocument } from './kernel/openapi/document.ts';
import { healthRoutes } from './maintenance/routes.ts';
import { mediaFiles } from './media/index.ts';
import { mediaEndpoints } from './media/routes.ts';
import { moveEndpoints } from './moves/routes.ts';
import { orderBulkEndpoints } from './orders/bulk/routes.ts';
import { fulfilmentEndpoints } from './orders/fulfilments/routes.ts';
import {
  firstParcelSent,
  Order,
  OrderFulfilled,
  OrderRefunded,
  OrderTrackingChanged,
  paidOrder,
  placedOrder,
  refundedOrder,
  secondParcelTracked,
} from './orders/index.ts';
import { orderEndpoints } from './orders/routes.ts';
import { timelineEndpoints } from './orders/timeline/routes.ts';
import { panelPages } from './panel/index.ts';
import { couponEndpoints } from './promotions/coupons/routes.ts';
import { promotionEndpoints } from './promotions/routes.ts';
import { searchEndpoints } from './search/routes.ts';
import { tenantEndpoints } from './tenants/routes.ts';
import { themeShowing } from './theme/index.ts';
import { themeEndpoints } from './theme/routes.ts';
import { transferEndpoints } from './transfer/routes.ts';
import { ucpRoutes } from './ucp/index.ts';
import { errorPage, type Fetch, mountPages, type Page, startPage, wantsPage } from './web/index.ts';
import { deliveryEndpoints } from './webhooks/delivery/routes.ts';
import { documentEvents } from './webhooks/index.ts';
import { webhookEndpoints } from './webhooks/registrations/routes.ts';

/** The data of each event type, by the modules that emit them. */
const EVENT_DATA = {
  'order.created': Order,
  'order.paid': Order,
  'order.cancelled': Order,
  'order.fulfilled': OrderFulfilled,
  'order.tracking_changed': OrderTrackingChanged,
  'order.refunded': OrderRefunded,
  'product.updated': ProductUpdated,
  'category.updated': CategoryUpdated,
  'stock.changed': StockChanged,
  'customer.created': CustomerCreated,
  'customer.email_changed': CustomerEmailChanged,
  'cart.abandoned': CartAbandoned,
} satisfies EventData;

/** An example of each event type's data. */
const EVENT_EXAMPLES: EventExamples & {
  [Type in keyof typeof EVENT_DATA]: () => z.output<(typeof EVENT_DATA)[Type]>;
} = {
  'order.created': placedOrder,
  'order.paid': paidOrder,
  'order.cancelled': cancelledOrder,
  'order.fulfilled': firstParcelSent,
  'order.tracking_changed': secondParcelTracked,
  'order.refunded': refundedOrder,
  'product.updated': espressoUpdated,
  'category.updated': clothingRenamed,
  'stock.changed': espressoSold,
  'customer.created': milaRegistered,
  'customer.email_changed': milaMoved,
  'cart.abandoned': abandonedCart,
};

const EVENT_SCHEMAS = eventSchemas(EVENT_DATA);

/** Every API endpoint, in the order of the OpenAPI document. */
export const endpoints: readonly Endpoint[] = [
  ...productEndpoints,
  ...bulkEndpoints,
  ...categoryEndpoints,
  ...sitemapEndpoints,
  ...mediaEndpoints({ categories: categoriesShowing, theme: themeShowing }, describedProducts),
  ...searchEndpoints,
  ...cartEndpoints,
  ...promotionEndpoints,
  ...couponEndpoints,
  ...inventoryEndpoints,
  ...lowStockEndpoints,
  ...pictureUsesEndpoints,
  ...importEndpoints,
  ...exportEndpoints,
  ...feedEndpoints,
  ...productFeedEndpoints,
  ...customerEndpoints,
  ...addressEndpoints,
  ...customerRecordEndpoints,
  ...checkoutEndpoints,
  ...orderEndpoints,
  ...orderBulkEndpoints,
  ...timelineEndpoints,
  ...fulfilmentEndpoints,
  ...guestOrderEndpoints,
  ...insightsEndpoints,
  ...auditEndpoints,
  ...requestLogEndpoints,
  ...themeEndpoints,
  ...eventFeedEndpoints(EVENT_SCHEMAS, EVENT_EXAMPLES),
  ...webhookEndpoints,
  ...deliveryEndpoints,
  ...deadLetterEndpoints,
  ...tenantEndpoints,
  ...accessEndpoints,
  ...transferEndpoints,
  ...moveEndpoints,
];

/** Returns the OpenAPI document of all endpoints and events as JSON text. */
export const openApi = (): string =>
  openApiDocument(endpoints, (registry) => documentEvents(registry, EVENT_SCHEMAS, EVENT_EXAMPLES));

/** Every page of the panels and the demo storefront. Guards, router and tests are derived from this list. */
export const pages: readonly Page[] = [...panelPages, ...demoPages];

/** Content-Security-Policy of `/docs`: Swagger UI needs inline styles and images from data URLs. */
const DOCS_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'";

/** The router: request id, preflights, endpoints with their guards, errors. */
export const app = new Hono<App>();

app.use(keepContext);
app.use(requestId);
app.use('/v1/*', cors);

mount(app, recordCalls(endpoints), { token: tokenGuard, platform: platformGuard, customer: customerGuard });

/** Calls this router in process: pages are clients of the public API. */
const fetchInProcess: Fetch = (request, env, ctx) => app.fetch(request, env, ctx);

app.use('/demo/*', demoErrors(fetchInProcess));
app.route('/', demoStylesheet(fetchInProcess));
app.route(
  '/',
  mountPages(pages, () => endpoints, fetchInProcess),
);

app.route('/', startPage);
app.route('/', checkoutPages(readShopper));
app.route('/', paymentCallbacks);
app.route('/', mediaFiles);
app.route('/', feedFiles);
app.route('/', healthRoutes);
app.route('/', ucpRoutes());

app
  .get('/v1/openapi.json', (c) =>
    respond(c, openApi(), { status: 200, headers: { 'Content-Type': 'application/json' } }),
  )
  .all(readOnly);

/** No icon, for the pages of shops that have none: browsers ask for this one, and report a 404 in their console. */
app
  .get('/favicon.ico', (c) =>
    respond(c, null, { status: 204, headers: { 'Cache-Control': 'public, max-age=86400' } }),
  )
  .all(readOnly);

/** The API reference page, served from static files. */
app.get('/docs/*', (c) => staticFile(c, { 'Content-Security-Policy': DOCS_POLICY })).all(readOnly);

app.notFound((c) => {
  const methods = allowedMethods(endpoints, c.req.path);
  if (methods.length > 0) return methodNotAllowed(c, methods);
  return wantsPage(c) ? errorPage(c, 404) : problem(c, { code: 'not_found' });
});

app.onError(async (error, c) => {
  // A cached read may fail before the limiter responds; the response needs the limiter's headers.
  await c.get('admitted');
  const code = reportError(error, c.get('requestId'));
  if (wantsPage(c)) return errorPage(c, code === 'unavailable' ? 503 : 500);
  // Writes are held for at most two seconds.
  return problem(c, { code, ...(isMoving(error) && { retryAfter: 2 }) });
});

const routed = observed(app.fetch);

/**
 * Serves a request: 503 under an invalid master key, hot reads from memory, everything else by the router.
 */
export const serve = (request: Request, env: Env, ctx: ExecutionContext): Response | Promise<Response> =>
  refuseBadKeys(env) ?? hotRead({ env, ctx }, request) ?? routed(request, env, ctx);
