// Generated from the OpenAPI document by `npm run build:client`. Do not edit.
import type { Operation } from '../operation.ts';
import type { operations } from './schema.ts';

/** The operations by resource and method. */
export interface Resources {
  products: {
    /** List products (`listProducts`). */
    list: operations['listProducts'];
    /** Create a product (`createProduct`). */
    create: operations['createProduct'];
    /** Get a product (`getProduct`). */
    get: operations['getProduct'];
    /** Update a product (`updateProduct`). */
    update: operations['updateProduct'];
    /** Delete a product (`deleteProduct`). */
    delete: operations['deleteProduct'];
    /** Get a product by its slug (`getProductBySlug`). */
    getBySlug: operations['getProductBySlug'];
    /** List related products (`listRelatedProducts`). */
    listRelated: operations['listRelatedProducts'];
    /** Duplicate a product (`duplicateProduct`). */
    duplicate: operations['duplicateProduct'];
    /** Change several products at once (`changeProducts`). */
    change: operations['changeProducts'];
    /** Set prices by SKU (`setProductPrices`). */
    setPrices: operations['setProductPrices'];
    /** List the slugs of products or categories (`getSitemap`). */
    getSitemap: operations['getSitemap'];
    /** Search products (`searchProducts`). */
    search: operations['searchProducts'];
  };
  categories: {
    /** Get the category tree (`getCategoryTree`). */
    getTree: operations['getCategoryTree'];
    /** Create a category (`createCategory`). */
    create: operations['createCategory'];
    /** Get a category by its slug (`getCategoryBySlug`). */
    getBySlug: operations['getCategoryBySlug'];
    /** Get a category with its descendants (`getCategory`). */
    get: operations['getCategory'];
    /** Update a category (`updateCategory`). */
    update: operations['updateCategory'];
    /** Delete a category (`deleteCategory`). */
    delete: operations['deleteCategory'];
  };
  media: {
    /** Upload an image (`createMedia`). */
    create: operations['createMedia'];
    /** List images, newest first (`listMedia`). */
    list: operations['listMedia'];
    /** Get an image (`getMedia`). */
    get: operations['getMedia'];
    /** Delete an image (`deleteMedia`). */
    delete: operations['deleteMedia'];
    /** List the products that show an image (`listProductsOfMedia`). */
    listProductsOf: operations['listProductsOfMedia'];
  };
  cart: {
    /** Create a cart (`createCart`). */
    create: operations['createCart'];
    /** Make several changes to a cart (`changeCart`). */
    change: operations['changeCart'];
    /** Get a cart (`getCart`). */
    get: operations['getCart'];
    /** Get a cart's history (`getCartHistory`). */
    getHistory: operations['getCartHistory'];
    /** Explain a cart's totals (`explainCart`). */
    explain: operations['explainCart'];
    /** Add a product to a cart (`addCartItem`). */
    addItem: operations['addCartItem'];
    /** Set the quantity of a line item (`updateCartItem`). */
    updateItem: operations['updateCartItem'];
    /** Remove a line item from a cart (`removeCartItem`). */
    removeItem: operations['removeCartItem'];
    /** Apply a coupon (`applyCartCoupon`). */
    applyCoupon: operations['applyCartCoupon'];
    /** Remove coupons (`removeCartCoupon`). */
    removeCoupon: operations['removeCartCoupon'];
    /** Set the shipping address (`setCartShippingAddress`). */
    setShippingAddress: operations['setCartShippingAddress'];
    /** List the shipping methods of a cart (`listCartShippingMethods`). */
    listShippingMethods: operations['listCartShippingMethods'];
    /** Choose the shipping method (`setCartShippingMethod`). */
    setShippingMethod: operations['setCartShippingMethod'];
  };
  promotions: {
    /** List promotions (`listPromotions`). */
    list: operations['listPromotions'];
    /** Create a promotion (`createPromotion`). */
    create: operations['createPromotion'];
    /** Get a promotion (`getPromotion`). */
    get: operations['getPromotion'];
    /** Update a promotion (`updatePromotion`). */
    update: operations['updatePromotion'];
    /** Delete a promotion (`deletePromotion`). */
    delete: operations['deletePromotion'];
    /** List the products that a promotion names (`listPromotionProducts`). */
    listProducts: operations['listPromotionProducts'];
  };
  coupons: {
    /** List coupons (`listCoupons`). */
    list: operations['listCoupons'];
    /** Create a coupon (`createCoupon`). */
    create: operations['createCoupon'];
    /** Get a coupon (`getCoupon`). */
    get: operations['getCoupon'];
    /** Update a coupon (`updateCoupon`). */
    update: operations['updateCoupon'];
    /** Delete a coupon (`deleteCoupon`). */
    delete: operations['deleteCoupon'];
  };
  inventory: {
    /** Adjust stock (`adjustInventory`). */
    adjust: operations['adjustInventory'];
    /** List items that are low in stock (`listLowStock`). */
    listLowStock: operations['listLowStock'];
  };
  imports: {
    /** Import a Shopify product CSV (`createImport`). */
    create: operations['createImport'];
    /** List imports, newest first (`listImports`). */
    list: operations['listImports'];
    /** Get an import's status (`getImport`). */
    get: operations['getImport'];
    /** Cancel an import (`cancelImport`). */
    cancel: operations['cancelImport'];
    /** List an import's errors (`listImportErrors`). */
    listErrors: operations['listImportErrors'];
    /** Export products as lines of a CSV (`exportProducts`). */
    exportProducts: operations['exportProducts'];
  };
  marketplace: {
    /** Get the marketplace product feed (`listMarketplaceProducts`). */
    listProducts: operations['listMarketplaceProducts'];
  };
  productFeeds: {
    /** List product feeds (`listProductFeeds`). */
    list: operations['listProductFeeds'];
    /** Create a product feed (`createProductFeed`). */
    create: operations['createProductFeed'];
    /** Delete a product feed (`deleteProductFeed`). */
    delete: operations['deleteProductFeed'];
    /** List the SKUs that a product feed leaves out (`listProductFeedProblems`). */
    listProblems: operations['listProductFeedProblems'];
    /** Preview the first items of a product feed (`previewProductFeed`). */
    preview: operations['previewProductFeed'];
  };
  customers: {
    /** Register a customer (`registerCustomer`). */
    register: operations['registerCustomer'];
    /** Log a customer in (`loginCustomer`). */
    login: operations['loginCustomer'];
    /** Log a customer out (`logoutCustomer`). */
    logout: operations['logoutCustomer'];
    /** Get the current customer (`getCurrentCustomer`). */
    getCurrent: operations['getCurrentCustomer'];
    /** Update the current customer (`updateCurrentCustomer`). */
    updateCurrent: operations['updateCurrentCustomer'];
    /** Erase the current customer (`eraseCurrentCustomer`). */
    eraseCurrent: operations['eraseCurrentCustomer'];
    /** Assign a cart to the current customer (`assignCustomerCart`). */
    assignCart: operations['assignCustomerCart'];
    /** Create a password reset (`createPasswordReset`). */
    createPasswordReset: operations['createPasswordReset'];
    /** Set a new password with a reset token (`resetPassword`). */
    resetPassword: operations['resetPassword'];
    /** List the current customer's addresses (`listCustomerAddresses`). */
    listAddresses: operations['listCustomerAddresses'];
    /** Save an address of the current customer (`createCustomerAddress`). */
    createAddress: operations['createCustomerAddress'];
    /** Update an address of the current customer (`updateCustomerAddress`). */
    updateAddress: operations['updateCustomerAddress'];
    /** Delete an address of the current customer (`deleteCustomerAddress`). */
    deleteAddress: operations['deleteCustomerAddress'];
    /** List customers (`listCustomers`). */
    list: operations['listCustomers'];
    /** Get a customer (`getCustomer`). */
    get: operations['getCustomer'];
    /** Update a customer (`updateCustomer`). */
    update: operations['updateCustomer'];
    /** Erase a customer (`eraseCustomer`). */
    erase: operations['eraseCustomer'];
    /** List a customer's addresses (`listAddressesOfCustomer`). */
    listAddressesOf: operations['listAddressesOfCustomer'];
    /** Save an address of a customer (`createAddressOfCustomer`). */
    createAddressOf: operations['createAddressOfCustomer'];
    /** Update an address of a customer (`updateAddressOfCustomer`). */
    updateAddressOf: operations['updateAddressOfCustomer'];
    /** Delete an address of a customer (`deleteAddressOfCustomer`). */
    deleteAddressOf: operations['deleteAddressOfCustomer'];
    /** List a customer's open carts (`listCartsOfCustomer`). */
    listCartsOf: operations['listCartsOfCustomer'];
    /** Get a customer's open cart (`getCartOfCustomer`). */
    getCartOf: operations['getCartOfCustomer'];
    /** Export everything kept about a customer (`exportCustomer`). */
    export: operations['exportCustomer'];
    /** List the signed-in customer's orders, newest first (`listCustomerOrders`). */
    listOrders: operations['listCustomerOrders'];
    /** Get one of the signed-in customer's orders (`getCustomerOrder`). */
    getOrder: operations['getCustomerOrder'];
  };
  checkout: {
    /** Prepare a checkout redirect (`startCheckout`). */
    start: operations['startCheckout'];
    /** Get a checkout session (`getCheckoutSession`). */
    getSession: operations['getCheckoutSession'];
  };
  orders: {
    /** Place the order of a checkout session (`placeOrder`). */
    place: operations['placeOrder'];
    /** List orders (`listOrders`). */
    list: operations['listOrders'];
    /** Report a payment (`reportOrderPayment`). */
    reportPayment: operations['reportOrderPayment'];
    /** Cancel an order (`cancelOrder`). */
    cancel: operations['cancelOrder'];
    /** Refund an order (`refundOrder`). */
    refund: operations['refundOrder'];
    /** List the refunds of an order, oldest first (`listOrderRefunds`). */
    listRefunds: operations['listOrderRefunds'];
    /** Get an order (`getOrder`). */
    get: operations['getOrder'];
    /** Update an order (`updateOrder`). */
    update: operations['updateOrder'];
    /** Change several orders at once (`changeOrders`). */
    change: operations['changeOrders'];
    /** Get an order's timeline (`getOrderTimeline`). */
    getTimeline: operations['getOrderTimeline'];
    /** Add a note to an order's timeline (`addOrderNote`). */
    addNote: operations['addOrderNote'];
    /** Fulfil an order (`createFulfilment`). */
    createFulfilment: operations['createFulfilment'];
    /** Update a fulfilment (`updateFulfilment`). */
    updateFulfilment: operations['updateFulfilment'];
    /** Erase the buyer of a guest's order (`eraseOrderBuyer`). */
    eraseBuyer: operations['eraseOrderBuyer'];
  };
  insights: {
    /** Get sales, best sellers and API calls of a period (`getInsights`). */
    get: operations['getInsights'];
  };
  audit: {
    /** List who changed what (`listAuditRecords`). */
    listRecords: operations['listAuditRecords'];
  };
  requestLog: {
    /** List the application's own calls (`listLoggedCalls`). */
    listLoggedCalls: operations['listLoggedCalls'];
    /** Get one of the application's own calls (`getLoggedCall`). */
    getLoggedCall: operations['getLoggedCall'];
  };
  theme: {
    /** Get the tenant's theme options (`getThemeOptions`). */
    getOptions: operations['getThemeOptions'];
    /** Change theme options (`updateThemeOptions`). */
    updateOptions: operations['updateThemeOptions'];
  };
  events: {
    /** List events in the order in which they happened (`listEvents`). */
    list: operations['listEvents'];
  };
  webhooks: {
    /** List webhooks (`listWebhooks`). */
    list: operations['listWebhooks'];
    /** Register a webhook (`createWebhook`). */
    create: operations['createWebhook'];
    /** Get a webhook (`getWebhook`). */
    get: operations['getWebhook'];
    /** Update a webhook (`updateWebhook`). */
    update: operations['updateWebhook'];
    /** Delete a webhook with its deliveries (`deleteWebhook`). */
    delete: operations['deleteWebhook'];
    /** Rotate a webhook's secret (`rotateWebhookSecret`). */
    rotateSecret: operations['rotateWebhookSecret'];
    /** Send a test event (`pingWebhook`). */
    ping: operations['pingWebhook'];
    /** List deliveries with their attempts (`listWebhookDeliveries`). */
    listDeliveries: operations['listWebhookDeliveries'];
    /** Get a delivery with its request (`getWebhookDelivery`). */
    getDelivery: operations['getWebhookDelivery'];
    /** Replay a delivery (`replayWebhookDelivery`). */
    replayDelivery: operations['replayWebhookDelivery'];
    /** Replay the events of a time range (`replayWebhookEvents`). */
    replayEvents: operations['replayWebhookEvents'];
  };
  settings: {
    /** Get the tenant's settings (`getSettings`). */
    get: operations['getSettings'];
    /** Update the tenant's settings (`updateSettings`). */
    update: operations['updateSettings'];
  };
}

type Table = { readonly [R in keyof Resources]: { readonly [M in keyof Resources[R]]: Operation } };

/** How each operation is called. */
export const OPERATIONS: Table = {
  products: {
    list: {"method":"GET","path":"/v1/products","list":{"page":"cursor","limit":100}},
    create: {"method":"POST","path":"/v1/products"},
    get: {"method":"GET","path":"/v1/products/{id}"},
    update: {"method":"PATCH","path":"/v1/products/{id}"},
    delete: {"method":"DELETE","path":"/v1/products/{id}"},
    getBySlug: {"method":"GET","path":"/v1/products/slug/{slug}"},
    listRelated: {"method":"GET","path":"/v1/products/{id}/related","list":{"page":"","limit":24}},
    duplicate: {"method":"POST","path":"/v1/products/{id}/duplicate"},
    change: {"method":"POST","path":"/v1/products/bulk"},
    setPrices: {"method":"POST","path":"/v1/products/prices"},
    getSitemap: {"method":"GET","path":"/v1/sitemap","list":{"page":"cursor"}},
    search: {"method":"GET","path":"/v1/search","list":{"page":"cursor","limit":100}},
  },
  categories: {
    getTree: {"method":"GET","path":"/v1/categories","list":{"page":""}},
    create: {"method":"POST","path":"/v1/categories"},
    getBySlug: {"method":"GET","path":"/v1/categories/slug/{slug}"},
    get: {"method":"GET","path":"/v1/categories/{id}"},
    update: {"method":"PATCH","path":"/v1/categories/{id}"},
    delete: {"method":"DELETE","path":"/v1/categories/{id}"},
  },
  media: {
    create: {"method":"POST","path":"/v1/media","mediaTypes":["image/jpeg","image/png","image/webp","image/avif","image/gif"]},
    list: {"method":"GET","path":"/v1/media","list":{"page":"cursor","limit":100}},
    get: {"method":"GET","path":"/v1/media/{id}"},
    delete: {"method":"DELETE","path":"/v1/media/{id}"},
    listProductsOf: {"method":"GET","path":"/v1/media/{id}/products","list":{"page":""}},
  },
  cart: {
    create: {"method":"POST","path":"/v1/cart","takesCustomer":true,"returnsSession":"cart"},
    change: {"method":"POST","path":"/v1/cart/{cart_token}/batch","takesCustomer":true,"returnsSession":"cart"},
    get: {"method":"GET","path":"/v1/cart/{cart_token}","takesCustomer":true,"returnsSession":"cart"},
    getHistory: {"method":"GET","path":"/v1/cart/{cart_token}/history","takesCustomer":true,"list":{"page":""}},
    explain: {"method":"GET","path":"/v1/cart/{cart_token}/explain","takesCustomer":true},
    addItem: {"method":"POST","path":"/v1/cart/items","takesCart":true,"takesCustomer":true,"returnsSession":"cart"},
    updateItem: {"method":"PATCH","path":"/v1/cart/items/{id}","takesCart":true,"takesCustomer":true,"returnsSession":"cart"},
    removeItem: {"method":"DELETE","path":"/v1/cart/items/{id}","takesCart":true,"takesCustomer":true,"returnsSession":"cart"},
    applyCoupon: {"method":"POST","path":"/v1/cart/{cart_token}/coupon","takesCustomer":true,"returnsSession":"cart"},
    removeCoupon: {"method":"DELETE","path":"/v1/cart/{cart_token}/coupon","takesCustomer":true,"returnsSession":"cart"},
    setShippingAddress: {"method":"PUT","path":"/v1/cart/{cart_token}/shipping-address","takesCustomer":true,"returnsSession":"cart"},
    listShippingMethods: {"method":"GET","path":"/v1/cart/{cart_token}/shipping-methods","takesCustomer":true,"list":{"page":""}},
    setShippingMethod: {"method":"PUT","path":"/v1/cart/{cart_token}/shipping-method","takesCustomer":true,"returnsSession":"cart"},
  },
  promotions: {
    list: {"method":"GET","path":"/v1/promotions","list":{"page":"cursor","limit":100}},
    create: {"method":"POST","path":"/v1/promotions"},
    get: {"method":"GET","path":"/v1/promotions/{id}"},
    update: {"method":"PATCH","path":"/v1/promotions/{id}"},
    delete: {"method":"DELETE","path":"/v1/promotions/{id}"},
    listProducts: {"method":"GET","path":"/v1/promotions/{id}/products","list":{"page":""}},
  },
  coupons: {
    list: {"method":"GET","path":"/v1/coupons","list":{"page":"cursor","limit":100}},
    create: {"method":"POST","path":"/v1/coupons"},
    get: {"method":"GET","path":"/v1/coupons/{id}"},
    update: {"method":"PATCH","path":"/v1/coupons/{id}"},
    delete: {"method":"DELETE","path":"/v1/coupons/{id}"},
  },
  inventory: {
    adjust: {"method":"POST","path":"/v1/inventory/adjustments"},
    listLowStock: {"method":"GET","path":"/v1/inventory/low-stock","list":{"page":"cursor","limit":50}},
  },
  imports: {
    create: {"method":"POST","path":"/v1/imports/products","query":["stock","dry_run"],"mediaTypes":["text/csv"]},
    list: {"method":"GET","path":"/v1/imports","list":{"page":"cursor","limit":100}},
    get: {"method":"GET","path":"/v1/imports/{id}"},
    cancel: {"method":"POST","path":"/v1/imports/{id}/cancel"},
    listErrors: {"method":"GET","path":"/v1/imports/{id}/errors","list":{"page":"after","limit":1000}},
    exportProducts: {"method":"GET","path":"/v1/exports/products"},
  },
  marketplace: {
    listProducts: {"method":"GET","path":"/v1/marketplace/products","list":{"page":"cursor","limit":100}},
  },
  productFeeds: {
    list: {"method":"GET","path":"/v1/feeds","list":{"page":""}},
    create: {"method":"POST","path":"/v1/feeds"},
    delete: {"method":"DELETE","path":"/v1/feeds/{id}"},
    listProblems: {"method":"GET","path":"/v1/feeds/{id}/problems","list":{"page":"cursor","limit":100}},
    preview: {"method":"GET","path":"/v1/feeds/{id}/preview","list":{"page":"","limit":20}},
  },
  customers: {
    register: {"method":"POST","path":"/v1/customers/register","takesCart":true,"returnsSession":"customer"},
    login: {"method":"POST","path":"/v1/customers/login","takesCart":true,"takesCustomer":true,"returnsSession":"customer"},
    logout: {"method":"POST","path":"/v1/customers/logout","takesCustomer":true,"endsSession":true},
    getCurrent: {"method":"GET","path":"/v1/customers/me","takesCustomer":true},
    updateCurrent: {"method":"PATCH","path":"/v1/customers/me","takesCustomer":true},
    eraseCurrent: {"method":"DELETE","path":"/v1/customers/me","takesCustomer":true,"endsSession":true},
    assignCart: {"method":"PUT","path":"/v1/customers/me/cart","takesCart":true,"takesCustomer":true,"returnsSession":"customer"},
    createPasswordReset: {"method":"POST","path":"/v1/customers/password-resets"},
    resetPassword: {"method":"POST","path":"/v1/customers/password-resets/{token}","takesCart":true,"returnsSession":"customer"},
    listAddresses: {"method":"GET","path":"/v1/customers/me/addresses","takesCustomer":true,"list":{"page":""}},
    createAddress: {"method":"POST","path":"/v1/customers/me/addresses","takesCustomer":true},
    updateAddress: {"method":"PATCH","path":"/v1/customers/me/addresses/{id}","takesCustomer":true},
    deleteAddress: {"method":"DELETE","path":"/v1/customers/me/addresses/{id}","takesCustomer":true},
    list: {"method":"GET","path":"/v1/customers","list":{"page":"cursor","limit":100}},
    get: {"method":"GET","path":"/v1/customers/{id}"},
    update: {"method":"PATCH","path":"/v1/customers/{id}"},
    erase: {"method":"DELETE","path":"/v1/customers/{id}"},
    listAddressesOf: {"method":"GET","path":"/v1/customers/{id}/addresses","list":{"page":""}},
    createAddressOf: {"method":"POST","path":"/v1/customers/{id}/addresses"},
    updateAddressOf: {"method":"PATCH","path":"/v1/customers/{id}/addresses/{address_id}"},
    deleteAddressOf: {"method":"DELETE","path":"/v1/customers/{id}/addresses/{address_id}"},
    listCartsOf: {"method":"GET","path":"/v1/customers/{id}/carts","list":{"page":""}},
    getCartOf: {"method":"GET","path":"/v1/customers/{id}/carts/{cart_id}"},
    export: {"method":"GET","path":"/v1/customers/{id}/export"},
    listOrders: {"method":"GET","path":"/v1/customers/me/orders","takesCustomer":true,"list":{"page":"cursor","limit":100}},
    getOrder: {"method":"GET","path":"/v1/customers/me/orders/{id}","takesCustomer":true},
  },
  checkout: {
    start: {"method":"POST","path":"/v1/checkout/seamless","takesCart":true,"takesCustomer":true},
    getSession: {"method":"GET","path":"/v1/checkout/sessions/{id}"},
  },
  orders: {
    place: {"method":"POST","path":"/v1/orders"},
    list: {"method":"GET","path":"/v1/orders","list":{"page":"cursor","limit":100}},
    reportPayment: {"method":"POST","path":"/v1/orders/{id}/payments"},
    cancel: {"method":"POST","path":"/v1/orders/{id}/cancel"},
    refund: {"method":"POST","path":"/v1/orders/{id}/refunds"},
    listRefunds: {"method":"GET","path":"/v1/orders/{id}/refunds","list":{"page":""}},
    get: {"method":"GET","path":"/v1/orders/{id}"},
    update: {"method":"PATCH","path":"/v1/orders/{id}"},
    change: {"method":"POST","path":"/v1/orders/bulk"},
    getTimeline: {"method":"GET","path":"/v1/orders/{id}/timeline","list":{"page":""}},
    addNote: {"method":"POST","path":"/v1/orders/{id}/notes"},
    createFulfilment: {"method":"POST","path":"/v1/orders/{id}/fulfilments"},
    updateFulfilment: {"method":"PATCH","path":"/v1/orders/{id}/fulfilments/{fulfilment_id}"},
    eraseBuyer: {"method":"DELETE","path":"/v1/orders/{id}/personal-data"},
  },
  insights: {
    get: {"method":"GET","path":"/v1/insights"},
  },
  audit: {
    listRecords: {"method":"GET","path":"/v1/audit","list":{"page":"cursor","limit":100}},
  },
  requestLog: {
    listLoggedCalls: {"method":"GET","path":"/v1/requests","list":{"page":"cursor","limit":100}},
    getLoggedCall: {"method":"GET","path":"/v1/requests/{request_id}"},
  },
  theme: {
    getOptions: {"method":"GET","path":"/v1/theme/options"},
    updateOptions: {"method":"PATCH","path":"/v1/theme/options"},
  },
  events: {
    list: {"method":"GET","path":"/v1/events","list":{"page":"after","limit":100,"live":true}},
  },
  webhooks: {
    list: {"method":"GET","path":"/v1/webhooks","list":{"page":""}},
    create: {"method":"POST","path":"/v1/webhooks"},
    get: {"method":"GET","path":"/v1/webhooks/{id}"},
    update: {"method":"PATCH","path":"/v1/webhooks/{id}"},
    delete: {"method":"DELETE","path":"/v1/webhooks/{id}"},
    rotateSecret: {"method":"POST","path":"/v1/webhooks/{id}/rotate-secret"},
    ping: {"method":"POST","path":"/v1/webhooks/{id}/ping"},
    listDeliveries: {"method":"GET","path":"/v1/webhooks/{id}/deliveries","list":{"page":"cursor","limit":100}},
    getDelivery: {"method":"GET","path":"/v1/webhooks/{id}/deliveries/{delivery_id}"},
    replayDelivery: {"method":"POST","path":"/v1/webhooks/{id}/deliveries/{delivery_id}/replay"},
    replayEvents: {"method":"POST","path":"/v1/webhooks/{id}/replay"},
  },
  settings: {
    get: {"method":"GET","path":"/v1/settings"},
    update: {"method":"PATCH","path":"/v1/settings"},
  },
};
