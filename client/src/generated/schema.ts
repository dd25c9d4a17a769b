// Generated from the OpenAPI document by `npm run build:client`. Do not edit.
export interface paths {
    "/v1/products": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List products
         * @description Lists only products with a price in the requested currency. Where products are large, a page has fewer than `limit` of them (about 8 MiB): `meta.next_cursor` continues after its last one, while a `page` number counts `limit` products for each page before. Several `ids` that are too large together are 422.
         *
         *     Scope: `catalog:read`.
         */
        get: operations["listProducts"];
        put?: never;
        /**
         * Create a product
         * @description The type decides which of `variants`, `links`, `grouped`, `bundle_groups` and `booking` is allowed. `sku` and `slug` are derived from the name by default.
         *
         *     Scope: `catalog:write`.
         */
        post: operations["createProduct"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/products/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a product
         * @description Responds with all fields of the product. `currency` selects the price. `metadata` is shown only to callers with the scope `catalog:write`.
         *
         *     Scope: `catalog:read`.
         */
        get: operations["getProduct"];
        put?: never;
        post?: never;
        /**
         * Delete a product
         * @description Removes the product from groups and bundles. Feed deltas report it with stock 0.
         *
         *     Scope: `catalog:write`.
         */
        delete: operations["deleteProduct"];
        options?: never;
        head?: never;
        /**
         * Update a product
         * @description Replaces the fields in the body; arrays are replaced whole. Variants match by id, then by SKU. Members of groups and bundles must stay simple or virtual, and a product with reserved stock must keep stock of its own (422 on `type`). `inventory_policy: deny` requires stock for all that is sold and reserved: if there is less, set `stock` in the same request. Changing `stock` of the product or of an existing variant also requires the scope `inventory:write`.
         *
         *     Scope: `catalog:write`.
         */
        patch: operations["updateProduct"];
        trace?: never;
    };
    "/v1/products/slug/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a product by its slug
         * @description The same body as by id. A former slug finds the product, whose `slug` is the new one, until another product takes it; the 20 newest of a product are kept.
         *
         *     Scope: `catalog:read`.
         */
        get: operations["getProductBySlug"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/products/{id}/related": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List related products
         * @description Active products that share categories, tags, the vendor or attribute values with this one: those that share most first, what is sold out last, never itself. Compares its eight rarest traits with those of the products nearest by id that have one of them. The result stays the same until the catalogue changes.
         *
         *     Scope: `catalog:read`.
         */
        get: operations["listRelatedProducts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/products/{id}/duplicate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Duplicate a product
         * @description Creates an inactive copy named `Copy of …` with everything but the stock, which is 0, and the barcodes. Slug and SKUs end in `-copy`, and are made unique.
         *
         *     Scope: `catalog:write`.
         */
        post: operations["duplicateProduct"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/products/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change several products at once
         * @description Applies one change of status, price or categories to at most 100 products in one transaction. A product that refuses the change is listed in `errors` and stays as it is, and so is one that is too large (about 8 MiB) together with those before it; the others change.
         *
         *     Scope: `catalog:write`.
         */
        post: operations["changeProducts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/products/prices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set prices by SKU
         * @description Sets the prices and sales of at most 100 SKUs, of products or variants, in one transaction: all of them, or none. What an item leaves out stays as it is; while a sale runs, `price` is the ordinary price. Items of products that are too large together (about 8 MiB) are 422.
         *
         *     Scope: `catalog:write`.
         */
        post: operations["setProductPrices"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/categories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the category tree
         * @description All categories at once; their texts have at most 8 MiB together, which writes keep to. A hidden category is left out with its descendants, also below a product.
         *
         *     Scope: `catalog:read`.
         */
        get: operations["getCategoryTree"];
        put?: never;
        /**
         * Create a category
         * @description The tree has at most 5 levels. `slug` is derived from the name by default; the id is appended when another category has that slug.
         *
         *     Scope: `catalog:write`.
         */
        post: operations["createCategory"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/categories/slug/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a category by its slug
         * @description The same body as by id. A former slug finds the category, whose `slug` is the new one, until another category takes it; the 20 newest of a category are kept.
         *
         *     Scope: `catalog:read`.
         */
        get: operations["getCategoryBySlug"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/categories/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a category with its descendants
         * @description Scope: `catalog:read`.
         */
        get: operations["getCategory"];
        put?: never;
        post?: never;
        /**
         * Delete a category
         * @description Its subcategories move up to its parent. Its products are removed from it.
         *
         *     Scope: `catalog:write`.
         */
        delete: operations["deleteCategory"];
        options?: never;
        head?: never;
        /**
         * Update a category
         * @description A new `parent_id` moves the category with its descendants. Product lists by category reflect the move at once; those of a large category may respond more slowly for some seconds.
         *
         *     Scope: `catalog:write`.
         */
        patch: operations["updateCategory"];
        trace?: never;
    };
    "/v1/sitemap": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the slugs of products or categories
         * @description All active products, or all categories that are not hidden, in the order of their creation, 1,000 a page. While the catalogue changes, what stays is listed exactly once.
         *
         *     Scope: `catalog:read`.
         */
        get: operations["getSitemap"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/media": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List images, newest first
         * @description Scope: `catalog:write`.
         */
        get: operations["listMedia"];
        put?: never;
        /**
         * Upload an image
         * @description The body is the file: JPEG, PNG, WebP, AVIF or GIF, at most 20 MiB, 50 megapixels and
         *     16383 pixels a side. `Content-Type` names its type. The file is judged by its bytes: another type is 415
         *     (`details.detected`), a file that is not a complete image or has data after its end is 422 `invalid_image`
         *     (`details.reason`). SVG is not accepted. The same bytes again return the same image. The original is served byte
         *     for byte, with the metadata in it.
         *
         *     Scope: `catalog:write`.
         */
        post: operations["createMedia"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/media/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an image
         * @description Scope: `catalog:write`.
         */
        get: operations["getMedia"];
        put?: never;
        post?: never;
        /**
         * Delete an image
         * @description Deletes the image and its copies. `media_in_use` while products or categories (`details.product_ids` and `category_ids`, at most 10 each) or the theme (`details.theme`) show it. Caches outside may keep it for a year.
         *
         *     Scope: `catalog:write`.
         */
        delete: operations["deleteMedia"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search products
         * @description Ranks an exact SKU first, then the name, then description, categories, attributes, tags and vendor. Matches words by prefix, ignores accents, and tolerates one typo in words of 4 letters or more. A number and its unit are found written together and apart (`250g`, `250 g`), Chinese, Japanese, Korean, Thai, Lao, Khmer and Burmese words also within text without spaces. `meta.total` is exact up to 1,000 and capped there, except with filters, facets or other sorts than `relevance`: these apply to, and count, at least the 10,000 best hits. The index follows a write within 10 seconds; the response header `X-Catalog-Version` is the version it has reached. Send that header to require a version: the request waits up to 2 seconds for the index, then responds with 503 and `Retry-After`. Pages of large products end early, as those of `GET /v1/products` do.
         *
         *     Scope: `catalog:read`.
         */
        get: operations["searchProducts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/cart": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a cart
         * @description Creates a cart in the tenant's default currency or in another of its currencies, empty or with up to 50 `items`, all or none of them. A cart expires 30 days after its last change, a customer's after 90 days, an empty one after 6 hours; calls with its token are then 410 for 30 days, and later 404. `PUT /v1/customers/me/cart` assigns a cart that is created during a customer's session to the customer.
         *
         *     Scope: `cart:write`.
         */
        post: operations["createCart"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/cart/{cart_token}/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make several changes to a cart
         * @description Makes up to 50 changes in their order, all or none, as one version of the cart. Each one does what its own endpoint does. A failure has the code of that endpoint, `details.index` of the change that failed, and fields named by their path, such as `operations.2.quantity`.
         *
         *     Scope: `cart:write`.
         */
        post: operations["changeCart"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/cart/{cart_token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a cart
         * @description Reprices the cart if the catalogue has changed. `warnings` lists changed prices and insufficient stock.
         *
         *     Scope: `cart:read`.
         */
        get: operations["getCart"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/cart/{cart_token}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a cart's history
         * @description The last 200 versions, newest first: what was done, by which application, and the totals then. No address, metadata or custom options. `merge` took the items of another cart of the same customer. The history of a cart that was merged into another is not kept.
         *
         *     Scope: `cart:read`.
         */
        get: operations["getCartHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/cart/{cart_token}/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Explain a cart's totals
         * @description Each amount of the totals with the rule and the numbers that it comes from, at the prices that the cart has now.
         *
         *     Scope: `cart:read`.
         */
        get: operations["explainCart"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/cart/items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a product to a cart
         * @description The keys of `options` depend on the product's type:
         *
         *     - configurable: `variant_id` beside `product_id` or in its place, `{"variant_id": 12}` or `{"attributes": {"size": "M"}}`
         *     - downloadable with links: `{"links": [2]}`
         *     - grouped: `{"qty": {"31": 2}}`, by default the default quantities; each member becomes a line item
         *     - bundled: `{"bundle_options": {"1": [5]}, "bundle_option_qty": {"1": 1}}`
         *     - booking: `{"booking": {"from": "2027-05-01T09:00:00Z", "to": "2027-05-01T10:00:00Z"}}`
         *
         *     Other keys, with a string, number, boolean or null, are stored as custom data of the shopper. Adding the same
         *     product with the same options raises the quantity of its line item. Without a `cart_token` a new cart is created.
         *     `PUT /v1/customers/me/cart` assigns a cart that is created during a customer's session to the customer.
         *
         *     Scope: `cart:write`.
         */
        post: operations["addCartItem"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/cart/items/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a line item from a cart
         * @description Scope: `cart:write`.
         */
        delete: operations["removeCartItem"];
        options?: never;
        head?: never;
        /**
         * Set the quantity of a line item
         * @description Scope: `cart:write`.
         */
        patch: operations["updateCartItem"];
        trace?: never;
    };
    "/v1/cart/{cart_token}/coupon": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Apply a coupon
         * @description Adds the code of a promotion to at most 2 others. A code that is not `combinable` replaces an earlier one of that kind. Which of them apply does not depend on their order. A code that does not apply because others are better stays with `applies: false`. `coupon_not_applicable` carries the reason in `details.reason`, and what is missing in `minimum_subtotal` or `minimum_quantity`. After ten wrong codes in a row the cart rejects every code for 15 minutes.
         *
         *     Scope: `cart:write`.
         */
        post: operations["applyCartCoupon"];
        /**
         * Remove coupons
         * @description Removes the code that the query names, or else all codes.
         *
         *     Scope: `cart:write`.
         */
        delete: operations["removeCartCoupon"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/cart/{cart_token}/shipping-address": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set the shipping address
         * @description The country determines tax and shipping.
         *
         *     Scope: `cart:write`.
         */
        put: operations["setCartShippingAddress"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/cart/{cart_token}/shipping-methods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the shipping methods of a cart
         * @description The methods that fit the cart's country, currency and items, in the order of the settings, with their prices for these items. Empty if nothing is shipped. Methods for certain countries appear once the cart has a shipping address.
         *
         *     Scope: `cart:read`.
         */
        get: operations["listCartShippingMethods"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/cart/{cart_token}/shipping-method": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Choose the shipping method
         * @description Without a choice the cheapest method applies. A choice is kept while the cart changes; where it does not fit, the cheapest applies and `warnings` says so. A method that the settings do not have is 422; one that does not fit the cart is 409 `shipping_unavailable`, with the ids of those that fit in `details.available`.
         *
         *     Scope: `cart:write`.
         */
        put: operations["setCartShippingMethod"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/promotions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List promotions
         * @description Automatic promotions and those with a code, coupons included. With `Accept: text/csv` the page is a CSV file (RFC 4180, UTF-8) with a row for each promotion; its `Link` header has the address of the next page (RFC 8288). Texts that a spreadsheet would take for a formula begin with an apostrophe, and so do their parts behind a semicolon or a line break.
         *
         *     Scope: `coupons:write`.
         */
        get: operations["listPromotions"];
        put?: never;
        /**
         * Create a promotion
         * @description All promotions of a cart that are `combinable` apply together, the lowest `priority` first (ties by id), each to what the ones before it left of the prices; or one that is not combinable, if the grand total is lower with it. At most 20 automatic promotions can be active and not over at a time. A redemption is counted when an order is placed.
         *
         *     Scope: `coupons:write`.
         */
        post: operations["createPromotion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/promotions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a promotion
         * @description Scope: `coupons:write`.
         */
        get: operations["getPromotion"];
        put?: never;
        post?: never;
        /**
         * Delete a promotion
         * @description Carts lose the promotion; orders keep the discount they got from it.
         *
         *     Scope: `coupons:write`.
         */
        delete: operations["deletePromotion"];
        options?: never;
        head?: never;
        /**
         * Update a promotion
         * @description Replaces the given fields and conditions; `effect` is replaced as a whole. Carts are repriced within two seconds. `active: false` ends it; a cart that is being paid keeps it.
         *
         *     Scope: `coupons:write`.
         */
        patch: operations["updatePromotion"];
        trace?: never;
    };
    "/v1/promotions/{id}/products": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the products that a promotion names
         * @description With their names, at most 500. Products that were deleted since are left out, and inactive ones unless the caller has the scope `catalog:write`.
         *
         *     Scope: `coupons:write`.
         */
        get: operations["listPromotionProducts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/coupons": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List coupons
         * @description Scope: `coupons:write`.
         */
        get: operations["listCoupons"];
        put?: never;
        /**
         * Create a coupon
         * @description Codes are case- and accent-insensitive. A redemption is counted when an order is placed.
         *
         *     Scope: `coupons:write`.
         */
        post: operations["createCoupon"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/coupons/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a coupon
         * @description Scope: `coupons:write`.
         */
        get: operations["getCoupon"];
        put?: never;
        post?: never;
        /**
         * Delete a coupon
         * @description Carts lose the coupon; orders keep the discount they got from it.
         *
         *     Scope: `coupons:write`.
         */
        delete: operations["deleteCoupon"];
        options?: never;
        head?: never;
        /**
         * Update a coupon
         * @description Replaces the given fields. Carts with the coupon are repriced.
         *
         *     Scope: `coupons:write`.
         */
        patch: operations["updateCoupon"];
        trace?: never;
    };
    "/v1/inventory/adjustments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Adjust stock
         * @description Changes each item by `delta`, or sets its available quantity to `stock`. All items change or none does. Emits `stock.changed`; calls that arrive together may share one event of an item, from the stock before them to that after. The catalogue shows new numbers within 10 seconds; what sells out or comes back, as any other write. Stock must not exceed 1,000,000,000.
         *
         *     Scope: `inventory:write`.
         */
        post: operations["adjustInventory"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/inventory/low-stock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List items that are low in stock
         * @description Active products and variants whose counted stock is at most `threshold`, the least first. Stock that is derived, as of bundles and bookings, or not counted is left out.
         *
         *     Scope: `inventory:write`.
         */
        get: operations["listLowStock"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/media/{id}/products": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the products that show an image
         * @description At most 10, in the order of their ids, each with the alternative text that the image has there.
         *
         *     Scope: `catalog:write`.
         */
        get: operations["listProductsOfMedia"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/imports/products": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import a Shopify product CSV
         * @description The body is the file, at most 32 MiB: in UTF-8, unless the `Content-Type` declares another `charset`, such as `text/csv; charset=windows-1252`. It is imported in the background; `GET /v1/imports/{id}` returns the status.
         *     A product is identified by its Handle, and its lines must be contiguous. Invalid lines are skipped and listed
         *     in `errors`, with more of them at `GET /v1/imports/{id}/errors`. Fields without a column in the file keep their values. Importing a file again changes nothing
         *     that is already equal. A picture is an https URL, or the id of an uploaded image (`med_…`), which is shown without a copy. At most 1,000 columns, 1 MiB per line, and 2,500 lines or 1.5 MiB per product.
         *
         *     Scope: `catalog:write`.
         */
        post: operations["createImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/imports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List imports, newest first
         * @description Imports are kept for 30 days. `GET /v1/imports/{id}` also returns the `errors`.
         *
         *     Scope: `catalog:write`.
         */
        get: operations["listImports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/imports/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an import's status
         * @description Scope: `catalog:write`.
         */
        get: operations["getImport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/imports/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel an import
         * @description Products that are written by then stay; the rest of the file is not read. An import that has ended stays as it is.
         *
         *     Scope: `catalog:write`.
         */
        post: operations["cancelImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/imports/{id}/errors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List an import's errors
         * @description The lines with an error, in their order: the first 10,000 of an import. With `Accept: text/csv` it is a file (RFC 4180, UTF-8), whose `Link` header has the address of the next page (RFC 8288).
         *
         *     Scope: `catalog:write`.
         */
        get: operations["listImportErrors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/exports/products": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export products as lines of a CSV
         * @description The lines of at most 100 products, of large ones fewer, by id, in the format that `POST /v1/imports/products` reads: importing the file again changes nothing. With `Accept: text/csv` it is a file (RFC 4180, UTF-8), whose `Link` header has the address of the next page (RFC 8288). Texts that a spreadsheet would take for a formula begin with an apostrophe, which an import removes. Products with more than three options, or an option value "Default Title", are left out.
         *
         *     Scope: `catalog:write`.
         */
        get: operations["exportProducts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/marketplace/products": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the marketplace product feed
         * @description Returns one item for each sellable SKU, including sold-out ones, ordered by last change. Follow `meta.next_updated_since` to receive every change, except those of `category_path` alone: after `category.updated`, read the feed without `updated_since` if you show the path. A page of products with very many images ends early (about 8 MiB). A grouped product has no item of its own: its members are sold instead.
         *
         *     Scope: `feed:read`.
         */
        get: operations["listMarketplaceProducts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/feeds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List product feeds
         * @description Scope: `settings:write`.
         */
        get: operations["listProductFeeds"];
        put?: never;
        /**
         * Create a product feed
         * @description Responds with the signed address of a file with all products on sale in the attributes of Google Merchant Center, which other services fetch without a token. The file is written while it is read, in the main currency, one item for each SKU. It needs the setting `feeds.product_url`. SKUs that Google would refuse are left out, see `GET /v1/feeds/{id}/problems`. A file can be read 12 times an hour (then 429 with `Retry-After`); with `If-None-Match`, an unchanged catalogue is 304 and not counted. Deleting the feed ends the address.
         *
         *     Scope: `settings:write`.
         */
        post: operations["createProductFeed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/feeds/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a product feed
         * @description Its address responds with 404 from now on.
         *
         *     Scope: `settings:write`.
         */
        delete: operations["deleteProductFeed"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/feeds/{id}/problems": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the SKUs that a product feed leaves out
         * @description Judged by Google's product data specification: what it would refuse, with every reason. Grouped products and bookings are listed too.
         *
         *     Scope: `settings:write`.
         */
        get: operations["listProductFeedProblems"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/feeds/{id}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Preview the first items of a product feed
         * @description The first items of the file, with their attributes. It looks at the first 50 SKUs, so that it can have fewer items than `limit` if the feed leaves some out.
         *
         *     Scope: `settings:write`.
         */
        get: operations["previewProductFeed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/customers/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register a customer
         * @description Creates the customer and opens a session. Send its `token` in `X-Customer-Token`. One network (IPv4 address or IPv6 /64) can register 10 customers at once and one more every 30 seconds. A tenant can register 60, 240 or 1,200 customers per minute, depending on the plan. Beyond these limits, responds with 429 and `Retry-After`.
         *
         *     Scope: `customers:write`.
         */
        post: operations["registerCustomer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/customers/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log a customer in
         * @description Responds the same way, in the same time, for a wrong password and an unknown e-mail. Failed attempts at one account are delayed with 429 and `Retry-After`: the first five without delay, later ones by up to 15 minutes. The last ten networks that the customer logged in from in the last 90 days, and devices that send an earlier session's token, are counted separately, so that failed attempts of others do not delay them. One network can make 20 failed attempts at once over all accounts, and one more every 6 seconds. Under load, a login waits for up to 2 seconds before it is rejected.
         *
         *     Scope: `customers:write`.
         */
        post: operations["loginCustomer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/customers/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log a customer out
         * @description Ends the session. Succeeds for a session that has already ended (RFC 7009).
         *
         *     Scope: `customers:write`.
         */
        post: operations["logoutCustomer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/customers/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the current customer
         * @description Scope: `customers:write`.
         */
        get: operations["getCurrentCustomer"];
        put?: never;
        post?: never;
        /**
         * Erase the current customer
         * @description Erases name, e-mail, phone and address (except its country) from all stored data: the account, carts, stored idempotent responses, checkout sessions, orders, events and webhook deliveries, including pending ones. Orders keep their line items and amounts, without the customer's own data in `options`. Responds with 503 when not all data could be reached; retry the request.
         *
         *     Scope: `customers:write`.
         */
        delete: operations["eraseCurrentCustomer"];
        options?: never;
        head?: never;
        /**
         * Update the current customer
         * @description A new `email` or `password` requires `current_password`, and ends all other sessions and password resets; the present `email` may be sent back without it. A wrong `current_password` responds with 401 `invalid_credentials` and counts as a failed login. A new `email` raises `customer.email_changed`, with which the tenant can notify the old address. `phone: null` removes the number.
         *
         *     Scope: `customers:write`.
         */
        patch: operations["updateCurrentCustomer"];
        trace?: never;
    };
    "/v1/customers/me/cart": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Assign a cart to the current customer
         * @description For a cart that was created during the session. Does what register and login do with `cart_token`: the customer's earlier cart is merged into this one. If this cart is locked by an order, the earlier cart stays the customer's. An open checkout of this cart stays valid unless the merge changed this cart: items or their ids, codes, the shipping method. What this cart could not take is in its `warnings`. Idempotent.
         *
         *     Scope: `customers:write`.
         */
        put: operations["assignCustomerCart"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/customers/password-resets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a password reset
         * @description Responds with a one-time token that expires after an hour, for the tenant to mail. Call it from the tenant's server, and show the shopper the same message whether or not the account exists.
         *
         *     Scope: `customers:admin`.
         */
        post: operations["createPasswordReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/customers/password-resets/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set a new password with a reset token
         * @description Ends all sessions of the customer and opens a new one. Takes the shopper's `cart_token` along as a login does. Where that cart has expired, is gone or another customer's, nothing is changed: repeat the request without it.
         *
         *     Scope: `customers:write`.
         */
        post: operations["resetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/customers/me/addresses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the current customer's addresses
         * @description Returns all of them, oldest first.
         *
         *     Scope: `customers:write`.
         */
        get: operations["listCustomerAddresses"];
        put?: never;
        /**
         * Save an address of the current customer
         * @description A customer can have 20 addresses; one more is 409 `quota_exceeded`. The first one is the default; `is_default` makes another one the default. The hosted checkout page offers the addresses when the checkout was started with the customer's session.
         *
         *     Scope: `customers:write`.
         */
        post: operations["createCustomerAddress"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/customers/me/addresses/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete an address of the current customer
         * @description After the default is deleted, the newest other address is the default.
         *
         *     Scope: `customers:write`.
         */
        delete: operations["deleteCustomerAddress"];
        options?: never;
        head?: never;
        /**
         * Update an address of the current customer
         * @description Only the given fields change; null removes one. `is_default: true` makes it the default in place of the current one.
         *
         *     Scope: `customers:write`.
         */
        patch: operations["updateCustomerAddress"];
        trace?: never;
    };
    "/v1/customers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List customers
         * @description With `Accept: text/csv` the page is a CSV file (RFC 4180, UTF-8) with a row for each customer; its `Link` header has the address of the next page (RFC 8288). Texts that a spreadsheet would take for a formula begin with an apostrophe, and so do their parts behind a semicolon or a line break.
         *
         *     Scope: `customers:admin`.
         */
        get: operations["listCustomers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/customers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a customer
         * @description Scope: `customers:admin`.
         */
        get: operations["getCustomer"];
        put?: never;
        post?: never;
        /**
         * Erase a customer
         * @description Erases the same data as `DELETE /v1/customers/me`, for a request of erasure that the tenant received (GDPR, art. 17). Responds with 503 when not all data could be reached; retry the request.
         *
         *     Scope: `customers:admin`.
         */
        delete: operations["eraseCustomer"];
        options?: never;
        head?: never;
        /**
         * Update a customer
         * @description Changes `name` and `phone`, and merges `metadata` by key. The customer never sees the metadata; erasing the customer deletes it. An e-mail is changed by its owner alone: `PATCH /v1/customers/me`.
         *
         *     Scope: `customers:admin`.
         */
        patch: operations["updateCustomer"];
        trace?: never;
    };
    "/v1/customers/{id}/addresses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a customer's addresses
         * @description Returns all of them, oldest first.
         *
         *     Scope: `customers:admin`.
         */
        get: operations["listAddressesOfCustomer"];
        put?: never;
        /**
         * Save an address of a customer
         * @description Like `POST /v1/customers/me/addresses`, for a tenant's server. One more than 20 is 409 `quota_exceeded`.
         *
         *     Scope: `customers:admin`.
         */
        post: operations["createAddressOfCustomer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/customers/{id}/addresses/{address_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete an address of a customer
         * @description After the default is deleted, the newest other address is the default.
         *
         *     Scope: `customers:admin`.
         */
        delete: operations["deleteAddressOfCustomer"];
        options?: never;
        head?: never;
        /**
         * Update an address of a customer
         * @description Only the given fields change; null removes one.
         *
         *     Scope: `customers:admin`.
         */
        patch: operations["updateAddressOfCustomer"];
        trace?: never;
    };
    "/v1/customers/{id}/carts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a customer's open carts
         * @description The open carts with items among the last 10 of the customer, newest first. The tokens that change them are not included.
         *
         *     Scope: `customers:admin`.
         */
        get: operations["listCartsOfCustomer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/customers/{id}/carts/{cart_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a customer's open cart
         * @description The token that changes it is not included.
         *
         *     Scope: `customers:admin`.
         */
        get: operations["getCartOfCustomer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/customers/{id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export everything kept about a customer
         * @description For a request of access or portability (GDPR, art. 15 and 20). Streamed; a body that was cut off is not valid JSON; retry the request then. Does not repeat the copies that webhook deliveries and stored idempotent responses hold of these data, nor keyed digests (of networks that logged in, of e-mails that redeemed a coupon), the histories of carts, and the audit log. Passwords and tokens of sessions are stored as hashes only, and are not exported.
         *
         *     Scope: `customers:admin`.
         */
        get: operations["exportCustomer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/checkout/seamless": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Prepare a checkout redirect
         * @description Reprices the cart, reserves its stock for 15 minutes, and responds with the URL to redirect the shopper to. Repeating the request for an unchanged cart responds with the same URL. Editing the cart invalidates it, and so does a request with other prices, return URLs or another customer, which gets a new one. A cart with an unpaid order gets the URL that leads back to paying it, and a paid one `cart_locked` with `details.order_id`. The page shows what a shopper enters only in the browser in which it was entered. Signing in or changing the e-mail address is no edit. The order belongs to the customer who owns the cart at the time of this call. If the request carries the session of the cart's customer, the page is prefilled with the cart's e-mail and address; otherwise only with the country. `shipping_unavailable` means that no shipping method delivers to the cart's country; a cart without one chooses it on the page. `total_not_chargeable` means that the payment provider can't charge exactly this total (Stripe: 1.235 KWD): another total can be paid. `price_changed` carries the repriced cart in `details.cart`; a second request, with another Idempotency-Key, accepts the new prices. Repeating the request doesn't extend the reservation. A cart that keeps changing can reserve stock for 30 minutes in an hour. After that, checkout continues without one, and placing the order fails if the stock is no longer available.
         *
         *     Scope: `checkout:write`.
         */
        post: operations["startCheckout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/checkout/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a checkout session
         * @description For a tenant's own checkout (`settings.checkout.external_url`). E-mail and address are included only if the checkout was prepared with the session of the cart's customer; otherwise only the country is. A session that has ended has no items and totals of 0. After the order is placed, items and totals are the order's, and `GET /v1/orders/{id}` returns the contact data.
         *
         *     Scope: `orders:write`.
         */
        get: operations["getCheckoutSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List orders
         * @description With `Accept: text/csv` the page is a CSV file (RFC 4180, UTF-8) with a row for each order; its `Link` header has the address of the next page (RFC 8288). Texts that a spreadsheet would take for a formula begin with an apostrophe, and so do their parts behind a semicolon or a line break. A page of orders with very many options or files (more than 8 MiB together) ends early: `meta.next_cursor` continues after its last one, while a `page` number counts `limit` orders for each page before.
         *
         *     Scope: `orders:read`.
         */
        get: operations["listOrders"];
        put?: never;
        /**
         * Place the order of a checkout session
         * @description For a tenant's own checkout. A session creates one order; repeating the request responds with the same order. Without an address, only shipping methods that deliver everywhere fit. `price_changed`: an automatic promotion has ended, and the session has the new total; show it, and repeat the request with another Idempotency-Key.
         *
         *     Scope: `orders:write`.
         */
        post: operations["placeOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orders/{id}/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report a payment
         * @description For a tenant's own checkout. `paid` for an expired order takes its stock again. If the stock is no longer available, or the order was cancelled on request, it stays cancelled and the payment must be refunded, as a second one must; `refund_due` of the order says how much. Report `refunded` afterwards. `refunded` for a paid order cancels it; with `amount` it records the refund of a part, which cancels nothing, once for each `refund_reference`; with another amount, that is 409 `reference_taken`. A payment in `refund_due` goes back as a whole. A `reference` identifies one payment of one order; repeating a report changes nothing. An order keeps its first 50 failed payments, and takes 100 payments and 100 refunds.
         *
         *     Scope: `orders:write`.
         */
        post: operations["reportOrderPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orders/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel an order
         * @description Releases the stock. What is left of a paid order is refunded first, in your own checkout by you (else 409 `order_not_cancellable`). If the refund fails, the response is 503; the refund is retried, and the order is cancelled once it succeeds. Units that were refunded before are not released again; shipped ones are. While goods are with the customer, refund the order instead.
         *
         *     Scope: `orders:write`.
         */
        post: operations["cancelOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orders/{id}/refunds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the refunds of an order, oldest first
         * @description A payment that came twice, or too late to be used, is returned as a whole and not listed.
         *
         *     Scope: `orders:read`.
         */
        get: operations["listOrderRefunds"];
        put?: never;
        /**
         * Refund an order
         * @description Refunds what was paid for `items`, what is left of `shipping`, and a further `amount`, together in one refund. Without any of them it refunds everything that is left. Taxes are included, and the parts of a line add up to what was paid for it. The order keeps its `status`; `payment_status` becomes `partially_refunded` or `refunded`, and `order.refunded` reports each refund that succeeded. A refund is `pending` until the payment provider has completed it; it is retried if the provider doesn't respond. Pending refunds count as made: more than what was paid is 409 `refund_too_large` with `details.refundable`; more of a line than was ordered, or `shipped`, is 422. An order of your own checkout is refunded there; here its refund is recorded as succeeded. Without `Idempotency-Key`, a repeated request refunds what it names again, if enough is left.
         *
         *     Scope: `orders:write`.
         */
        post: operations["refundOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orders/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an order
         * @description A paid order includes signed download links for its downloadable lines.
         *
         *     Scope: `orders:read`.
         */
        get: operations["getOrder"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update an order
         * @description Replaces `tags`, merges `metadata` by key, and archives the order or opens it again. The customer never sees any of it; erasing the customer deletes tags and metadata. Raises no event.
         *
         *     Scope: `orders:write`.
         */
        patch: operations["updateOrder"];
        trace?: never;
    };
    "/v1/customers/me/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the signed-in customer's orders, newest first
         * @description A page of orders with very many options or files (more than 8 MiB together) ends early: `meta.next_cursor` continues after its last one, while a `page` number counts `limit` orders for each page before.
         *
         *     Scope: `customers:write`.
         */
        get: operations["listCustomerOrders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/customers/me/orders/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one of the signed-in customer's orders
         * @description A paid order includes signed download links for its downloadable lines.
         *
         *     Scope: `customers:write`.
         */
        get: operations["getCustomerOrder"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orders/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change several orders at once
         * @description Fulfils, archives or tags at most 25 orders, one after the other. An order that refuses the change is listed in `errors`; the others change. The same request again changes nothing more.
         *
         *     Scope: `orders:write`.
         */
        post: operations["changeOrders"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orders/{id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an order's timeline
         * @description What happened to the order, oldest first, and who did it: its latest 200 entries. Erasing the customer removes personal data from it.
         *
         *     Scope: `orders:read`.
         */
        get: operations["getOrderTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orders/{id}/notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a note to an order's timeline
         * @description For the people of the shop: the customer never sees it, and erasing the customer deletes its text. Returns the timeline. Raises no event.
         *
         *     Scope: `orders:write`.
         */
        post: operations["addOrderNote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orders/{id}/fulfilments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fulfil an order
         * @description Records that goods of a paid order were shipped: `items`, or everything that is left. Raises `order.fulfilled` and updates the order's `fulfilment_status`. A quantity that exceeds what is left is a 422, as is a line that is not shipped (`ships: false`: virtual, downloadable and booking products). `order_not_fulfillable` if the order is not paid, is being cancelled, has nothing left, or has 50 fulfilments. Without `Idempotency-Key`, a repeated request ships what it names again, if enough is left.
         *
         *     Scope: `orders:write`.
         */
        post: operations["createFulfilment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orders/{id}/fulfilments/{fulfilment_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update a fulfilment
         * @description Changes its `status` or replaces its `tracking` (null removes it). `cancelled` gives the quantities back, so that they can be fulfilled again; a cancelled fulfilment can't be changed any more. Other tracking raises `order.tracking_changed`; a status raises no event. The order's timeline shows both.
         *
         *     Scope: `orders:write`.
         */
        patch: operations["updateFulfilment"];
        trace?: never;
    };
    "/v1/orders/{id}/personal-data": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Erase the buyer of a guest's order
         * @description For a request of erasure by somebody without an account (GDPR, art. 17); `GET /v1/orders?email=` finds their orders. Removes name, contact data, addresses except their countries, notes, tags, metadata and the buyer's own data in `options` from the order, its events, its checkout and its cart; items and amounts stay. Goods that are not sent yet have no address then. An order of a customer is 409 `conflict`: `DELETE /v1/customers/{id}`. Responds with 503 when not all data could be reached; retry the request.
         *
         *     Scope: `customers:admin`.
         */
        delete: operations["eraseOrderBuyer"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/insights": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get sales, best sellers and API calls of a period
         * @description The counts are kept as orders, carts and calls come in. The period before is included for comparison. A sale counts in the hour in which its order was paid, and refunds and cancellations correct that hour. Test orders count. Each currency is counted separately.
         *
         *     Scope: `orders:read`.
         */
        get: operations["getInsights"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List who changed what
         * @description Newest first, for 365 days and up to 10,000 entries. Every change that a person makes in a panel is recorded; of calls with a token, those that change settings, theme, webhooks, product feeds and applications. Names the people of the shop: give its scope to integrations alone.
         *
         *     Scope: `settings:read`.
         */
        get: operations["listAuditRecords"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the application's own calls
         * @description Newest first: the last 1,000 calls with a token of this application, for 30 days. A call appears some seconds after its response. Neither bodies nor queries nor the values in a path are kept.
         *
         *     Scope: `settings:read`.
         */
        get: operations["listLoggedCalls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/requests/{request_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one of the application's own calls
         * @description Finds a call by its `request_id` among the last 1,000 calls of this application.
         *
         *     Scope: `settings:read`.
         */
        get: operations["getLoggedCall"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/theme/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the tenant's theme options
         * @description Scope: `theme:read`.
         */
        get: operations["getThemeOptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change theme options
         * @description JSON merge patch (RFC 7396): replaces the given options, and null unsets an option. `colors` is merged, colour by colour.
         *
         *     Scope: `theme:write`.
         */
        patch: operations["updateThemeOptions"];
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events in the order in which they happened
         * @description Everything that happened, in commit order and without gaps: the events that webhooks can subscribe to, each with the same id and body as a webhook gets. Start without `after` at the oldest event, or with `after=latest` at the next one (that call returns none, and doesn't wait), then pass each `meta.next_cursor` as `after`. Store it after the events were handled: the same cursor returns the same events again.
         *
         *     With `wait` the call is held until there is an event, and returns it at once. At most 10 calls of an application and 100 of a tenant wait at the same time; others return at once. A page may have fewer than `limit` events; one without events is the end for now, though its `next_cursor` can be a new one each time.
         *
         *     Events are kept for 30 days. `cursor_expired`: the cursor is older, so events may be missing; start with `after=latest`, then read the resources again, ten seconds later since stock may be that late. Each type requires its read scope: orders `orders:read`, customers and abandoned carts `customers:admin`, all others `catalog:read`.
         *
         *     Scope: `webhooks:read`.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhooks
         * @description Scope: `webhooks:read`.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Register a webhook
         * @description Responds with the secret, which is shown only once. Each type requires its read scope: orders `orders:read`, customers and abandoned carts `customers:admin`, all others `catalog:read`. A new URL, a new secret and a replay require the same scopes for every event that may still be sent.
         *
         *     Each event is a POST of `{id, type, timestamp, data}`, signed according to [Standard Webhooks](https://www.standardwebhooks.com): `webhook-id` (the same in every attempt and replay), `webhook-timestamp`, `webhook-signature`. A 2xx within 15 seconds counts as delivered. Otherwise delivery is retried after 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 h, and not before `Retry-After`. Status 410, or five days of failures, pauses the webhook. Delivery is at least once: deduplicate by `webhook-id`.
         *
         *     `data` is flat and has `sequence` (increasing for each resource) and `occurred_at`; the `webhooks` section of this document lists the other fields of each type.
         *
         *     Scope: `webhooks:write`.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a webhook
         * @description Scope: `webhooks:read`.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook with its deliveries
         * @description Scope: `webhooks:write`.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Update a webhook
         * @description While `paused`, nothing is sent: events are `held` for 30 days (above 5 GiB for 5) and can be replayed. Setting `active` does not send held events. A new `url` requires the read scope of every event that may still be sent there: current subscriptions, and those of the last 31 days, whose deliveries may be stored.
         *
         *     Scope: `webhooks:write`.
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/v1/webhooks/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate a webhook's secret
         * @description Responds with the new secret, which is shown only once. For 24 hours deliveries carry two signatures, the second with the old secret. Another rotation within these 24 hours ends the signature of the first secret at once: a receiver that has only that one rejects deliveries, which are retried. Like a new URL, requires the read scope of every event that may still be sent.
         *
         *     Scope: `webhooks:write`.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/ping": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event
         * @description Sends an event of type `ping`; its outcome appears in the list of deliveries.
         *
         *     Scope: `webhooks:write`.
         */
        post: operations["pingWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries with their attempts
         * @description Lists deliveries of the last 30 days (above 5 GiB of the last 5), newest first. `response_body` requires the scope that reads the event.
         *
         *     Scope: `webhooks:read`.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/deliveries/{delivery_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a delivery with its request
         * @description Requires the scope that reads its event.
         *
         *     Scope: `webhooks:read`.
         */
        get: operations["getWebhookDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/deliveries/{delivery_id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replay a delivery
         * @description Sends the delivery again under the same `webhook-id`, regardless of its status. A paused webhook sends it once active. Requires the scope that reads its event.
         *
         *     Scope: `webhooks:write`.
         */
        post: operations["replayWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replay the events of a time range
         * @description Sends again all events that occurred from `from` to `to` (both included), held ones too, under the same `webhook-id`. A paused webhook sends them once active. Requires the scopes that read every event in the range.
         *
         *     Scope: `webhooks:write`.
         */
        post: operations["replayWebhookEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the tenant's settings
         * @description Scope: `settings:read`.
         */
        get: operations["getSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update the tenant's settings
         * @description Each given part, such as `tax` or `shipping`, is replaced as a whole; in `checkout` only the given fields are, and a null `external_url` removes it. `secrets` are stored encrypted and never shown.
         *
         *     Scope: `settings:write`.
         */
        patch: operations["updateSettings"];
        trace?: never;
    };
}
export interface webhooks {
    "order.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An order was placed */
        post: operations["onOrderCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "order.paid": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An order was paid */
        post: operations["onOrderPaid"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "order.cancelled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An order was cancelled */
        post: operations["onOrderCancelled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "order.fulfilled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Goods of an order were shipped */
        post: operations["onOrderFulfilled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "order.tracking_changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The tracking of a fulfilment was added, changed or removed */
        post: operations["onOrderTrackingChanged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "order.refunded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Money of an order was refunded */
        post: operations["onOrderRefunded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "product.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A product was created, changed or deleted */
        post: operations["onProductUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "category.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A category was created, changed, moved or deleted */
        post: operations["onCategoryUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "stock.changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A SKU's sellable quantity changed */
        post: operations["onStockChanged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "customer.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A customer registered */
        post: operations["onCustomerCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "customer.email_changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A customer's e-mail address changed: notify the old address */
        post: operations["onCustomerEmailChanged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "cart.abandoned": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A filled cart of a known shopper was untouched for an hour */
        post: operations["onCartAbandoned"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    ping: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A test event was requested */
        post: operations["onPing"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        OrderCreatedEvent: {
            /** @example evt_5d0c1f9a7e42b86c3d90fa17 */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "order.created";
            /**
             * Format: date-time
             * @description When the event occurred.
             */
            timestamp: string;
            data: {
                /** @example ord_5Wd0XjvKq2TzNhLr8ePaYc1M */
                id: string;
                /**
                 * Format: int64
                 * @description Sequential for each tenant, from 1001, without gaps.
                 */
                number: number;
                /** @enum {string} */
                status: "pending" | "paid" | "cancelled";
                /**
                 * @description A cancelled order counts what is in `refund_due`, a paid one does not.
                 * @enum {string}
                 */
                payment_status: "unpaid" | "paid" | "partially_refunded" | "refunded";
                /**
                 * @description How much of the goods is in fulfilments. An order without goods to ship is `fulfilled` once it is paid.
                 * @enum {string}
                 */
                fulfilment_status: "unfulfilled" | "partially_fulfilled" | "fulfilled";
                /** @description Whether the payment is a test: the sandbox, or a Stripe test key. */
                test: boolean;
                items: components["schemas"]["OrderItem"][];
                totals: components["schemas"]["Totals"];
                /** @description The tax by rate, for invoices: the highest first, 0 included. `net` and `tax` add up to `totals.grand_total`, `tax` to `totals.tax`. Empty in orders from before rates were kept. */
                tax_lines: components["schemas"]["TaxLine"][];
                /** @description The rate of the tax on `totals.shipping`; 0 where shipping is not taxed. Null in orders from before it was kept. */
                shipping_tax_rate_percent: number | null;
                currency: string;
                /** @description The first code of `applied_promotions`. */
                coupon: string | null;
                applied_promotions: components["schemas"]["AppliedPromotion"][];
                /** @description As it was when the order was placed. Null if nothing is shipped. Its price is `totals.shipping`. */
                shipping_method: {
                    id: string;
                    name: string;
                } | null;
                customer: {
                    /** Format: int64 */
                    id: number | null;
                    name: string | null;
                    email: string | null;
                    phone: string | null;
                };
                addresses: {
                    shipping: {
                        country: string;
                        first_name?: string;
                        last_name?: string;
                        company?: string;
                        line1?: string;
                        line2?: string;
                        city?: string;
                        region?: string;
                        postal_code?: string;
                        phone?: string;
                    } | null;
                };
                /** @description Null if it is the shipping address. */
                billing_address: {
                    country: string;
                    first_name?: string;
                    last_name?: string;
                    company?: string;
                    line1?: string;
                    line2?: string;
                    city?: string;
                    region?: string;
                    postal_code?: string;
                    phone?: string;
                } | null;
                /** @description The shopper's message to the shop, entered at checkout. */
                note: string | null;
                /** @description Oldest first, cancelled ones included. Events of an order of more than 1.9 MB, without its `downloads`, have the latest ten only. */
                fulfilments: components["schemas"]["Fulfilment"][];
                tags: string[];
                /**
                 * Format: date-time
                 * @description When the shop archived the order; null while it is open. It only orders lists, and changes nothing else.
                 */
                archived_at: string | null;
                metadata: {
                    [key: string]: string;
                };
                /** @description Oldest first. Events of an order of more than 1.9 MB, without its `downloads`, have the latest ten only. */
                refunds: components["schemas"]["Refund"][];
                /** @description Money that arrived, which the order cannot use and which has not gone back yet, such as a second payment. The payment provider is asked for its return; in your own checkout pay it back, and report `refunded` with its `reference`. */
                refund_due: number;
                dispute: components["schemas"]["OrderDispute"];
                /** @description The shopping agent that filled the cart, by the URI of its profile; null for a shopper's own order. */
                agent: {
                    profile: string;
                } | null;
                /** @enum {string|null} */
                cancel_reason: "shopper" | "tenant" | "timeout" | null;
                /**
                 * Format: date-time
                 * @description When it was paid; null if it was not. `GET /v1/insights` counts its sale at this time.
                 */
                paid_at: string | null;
                /**
                 * Format: date-time
                 * @description When it was cancelled; null while its `status` is another one.
                 */
                cancelled_at: string | null;
                /** Format: date-time */
                created_at: string;
                /** Format: date-time */
                updated_at: string;
                /**
                 * Format: int64
                 * @description Increases for each resource: an event with a lower value is older.
                 */
                sequence: number;
                /** Format: date-time */
                occurred_at: string;
            };
        };
        OrderItem: {
            /** Format: int64 */
            id: number;
            /** Format: int64 */
            product_id: number;
            /** Format: int64 */
            variant_id: number | null;
            sku: string;
            name: string;
            /** @description As a cart takes them: `product_id`, `quantity` and `options` in `items` of `POST /v1/cart` order the same again. */
            options: {
                [key: string]: unknown;
            };
            /** Format: int64 */
            quantity: number;
            unit_price: number;
            /** @description Unit price times quantity, before discount. */
            total: number;
            /** @description The item's part of each promotion that reduces it. */
            discounts: {
                /** Format: int64 */
                promotion_id: number;
                amount: number;
            }[];
            /** @description The product's slug when it was ordered, which finds a renamed product too. Null in orders from before it was kept. */
            slug: string | null;
            /**
             * Format: uri
             * @description The image of the cart's item when it was ordered; an upload may be deleted since. Null also in orders from before it was kept.
             */
            image: string | null;
            /**
             * @description Null in orders from before it was kept.
             * @enum {string|null}
             */
            type: "simple" | "configurable" | "virtual" | "downloadable" | "grouped" | "bundled" | "booking" | null;
            /** @description The choices to show, as in the cart; empty in orders from before they were kept. */
            selected: {
                name: string;
                value: string;
                /**
                 * @description Of a booking's times: the IANA time zone of its place, in which the time is to be shown.
                 * @example Europe/Berlin
                 */
                timezone?: string;
            }[];
            /** @description Whether it is goods to ship; nothing else can be fulfilled. */
            ships: boolean;
            /**
             * Format: int64
             * @description The quantity in fulfilments that are not cancelled.
             */
            fulfilled_quantity: number;
            discount: number;
            /** @description The tax of the line after its discount, in it if `totals.tax_included`, else on top. What `totals.tax` has beyond the items' is that of shipping. */
            tax: number;
            /** @description The rate of that tax. Null in orders from before it was kept. */
            tax_rate_percent: number | null;
            /** @description Of a paid order, unless the item or the whole order was refunded. Events of an order of more than 1.9 MB are without them. */
            downloads?: components["schemas"]["Download"][];
        };
        /** @description A purchased file; `url` is signed and valid for 7 days. */
        Download: {
            /** Format: int64 */
            id: number;
            title: string;
            /** Format: uri */
            url: string;
        };
        Totals: {
            /** @description The sum of the line totals, before discount. */
            subtotal: number;
            /** @description `subtotal` less `discount`. */
            subtotal_after_discount: number;
            /** @description The tax of all items and of shipping. It is part of the prices if `tax_included`. */
            tax: number;
            shipping: number;
            discount: number;
            grand_total: number;
            /** @description Whether prices include tax. */
            tax_included: boolean;
        };
        TaxLine: {
            rate_percent: number;
            /** @description What is taxed: the items after discount and shipping, without tax. */
            net: number;
            tax: number;
        };
        AppliedPromotion: {
            /** Format: int64 */
            id: number;
            name: string;
            /** @description Null for an automatic promotion. */
            code: string | null;
            /** @description What it deducts from the goods: 0 for free shipping. The amounts sum to `totals.discount`. */
            amount: number;
        };
        /** @description The items of an order that were shipped together. */
        Fulfilment: {
            /** @example ful_5Wd0XjvKq2TzNhLr8ePaYc1M */
            id: string;
            /**
             * @description `shipped` when it is created. `cancelled` is final and gives the quantities back.
             * @enum {string}
             */
            status: "shipped" | "delivered" | "cancelled";
            items: {
                /**
                 * Format: int64
                 * @description The `id` of one of the order's `items`.
                 */
                line_id: number;
                /** Format: int64 */
                quantity: number;
            }[];
            tracking: {
                carrier: string | null;
                number: string | null;
                /** Format: uri */
                url: string | null;
            } | null;
            /**
             * Format: date-time
             * @description When its status became `delivered`; null if it is another one.
             */
            delivered_at: string | null;
            /**
             * Format: date-time
             * @description When its status became `cancelled`; null if it is another one.
             */
            cancelled_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        Refund: {
            /** @example ref_9Qm2XcVb7LkTzR4sWyHd0PnA */
            id: string;
            /**
             * @description `pending` until the payment provider has completed it; it is retried until then. `failed`: the provider refused it, or the money came back.
             * @enum {string}
             */
            status: "pending" | "succeeded" | "failed";
            amount: number;
            currency: string;
            reason: string | null;
            items: {
                /** Format: int64 */
                line_id: number;
                /** Format: int64 */
                quantity: number;
                restock: boolean;
                shipped: boolean;
                amount: number;
            }[];
            /** @description The part of `amount` that is shipping, with its tax. */
            shipping: number;
            /** @description The part of `amount` that is tax. Units have that of their line, shipping its own, and other amounts that of all that is left, in proportion. Together it is the order's tax once everything is refunded; a refund that fails later no longer counts, which may move cents between the others. */
            tax: number;
            /**
             * @description `request`: this API or the panel. `cancellation`: the order was cancelled. `provider`: made at the payment provider, or reported by your own checkout. `dispute`: a dispute was lost.
             * @enum {string}
             */
            source: "request" | "cancellation" | "provider" | "dispute";
            /** @description The provider's code, such as `expired_or_canceled_card`; null unless it failed. */
            failure_reason: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        /** @description The payment's latest dispute. */
        OrderDispute: {
            /**
             * @description `open` until it is decided; `lost` counts as refunded.
             * @enum {string}
             */
            status: "open" | "won" | "lost";
            /** @example product_not_received */
            reason: string;
            amount: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        } | null;
        Order: {
            /** @example ord_5Wd0XjvKq2TzNhLr8ePaYc1M */
            id: string;
            /**
             * Format: int64
             * @description Sequential for each tenant, from 1001, without gaps.
             */
            number: number;
            /** @enum {string} */
            status: "pending" | "paid" | "cancelled";
            /**
             * @description A cancelled order counts what is in `refund_due`, a paid one does not.
             * @enum {string}
             */
            payment_status: "unpaid" | "paid" | "partially_refunded" | "refunded";
            /**
             * @description How much of the goods is in fulfilments. An order without goods to ship is `fulfilled` once it is paid.
             * @enum {string}
             */
            fulfilment_status: "unfulfilled" | "partially_fulfilled" | "fulfilled";
            /** @description Whether the payment is a test: the sandbox, or a Stripe test key. */
            test: boolean;
            items: components["schemas"]["OrderItem"][];
            totals: components["schemas"]["Totals"];
            /** @description The tax by rate, for invoices: the highest first, 0 included. `net` and `tax` add up to `totals.grand_total`, `tax` to `totals.tax`. Empty in orders from before rates were kept. */
            tax_lines: components["schemas"]["TaxLine"][];
            /** @description The rate of the tax on `totals.shipping`; 0 where shipping is not taxed. Null in orders from before it was kept. */
            shipping_tax_rate_percent: number | null;
            currency: string;
            /** @description The first code of `applied_promotions`. */
            coupon: string | null;
            applied_promotions: components["schemas"]["AppliedPromotion"][];
            /** @description As it was when the order was placed. Null if nothing is shipped. Its price is `totals.shipping`. */
            shipping_method: {
                id: string;
                name: string;
            } | null;
            customer: {
                /** Format: int64 */
                id: number | null;
                name: string | null;
                email: string | null;
                phone: string | null;
            };
            addresses: {
                shipping: {
                    country: string;
                    first_name?: string;
                    last_name?: string;
                    company?: string;
                    line1?: string;
                    line2?: string;
                    city?: string;
                    region?: string;
                    postal_code?: string;
                    phone?: string;
                } | null;
            };
            /** @description Null if it is the shipping address. */
            billing_address: {
                country: string;
                first_name?: string;
                last_name?: string;
                company?: string;
                line1?: string;
                line2?: string;
                city?: string;
                region?: string;
                postal_code?: string;
                phone?: string;
            } | null;
            /** @description The shopper's message to the shop, entered at checkout. */
            note: string | null;
            /** @description Oldest first, cancelled ones included. Events of an order of more than 1.9 MB, without its `downloads`, have the latest ten only. */
            fulfilments: components["schemas"]["Fulfilment"][];
            tags: string[];
            /**
             * Format: date-time
             * @description When the shop archived the order; null while it is open. It only orders lists, and changes nothing else.
             */
            archived_at: string | null;
            metadata: {
                [key: string]: string;
            };
            /** @description Oldest first. Events of an order of more than 1.9 MB, without its `downloads`, have the latest ten only. */
            refunds: components["schemas"]["Refund"][];
            /** @description Money that arrived, which the order cannot use and which has not gone back yet, such as a second payment. The payment provider is asked for its return; in your own checkout pay it back, and report `refunded` with its `reference`. */
            refund_due: number;
            dispute: components["schemas"]["OrderDispute"];
            /** @description The shopping agent that filled the cart, by the URI of its profile; null for a shopper's own order. */
            agent: {
                profile: string;
            } | null;
            /** @enum {string|null} */
            cancel_reason: "shopper" | "tenant" | "timeout" | null;
            /**
             * Format: date-time
             * @description When it was paid; null if it was not. `GET /v1/insights` counts its sale at this time.
             */
            paid_at: string | null;
            /**
             * Format: date-time
             * @description When it was cancelled; null while its `status` is another one.
             */
            cancelled_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        OrderPaidEvent: {
            /** @example evt_5d0c1f9a7e42b86c3d90fa17 */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "order.paid";
            /**
             * Format: date-time
             * @description When the event occurred.
             */
            timestamp: string;
            data: {
                /** @example ord_5Wd0XjvKq2TzNhLr8ePaYc1M */
                id: string;
                /**
                 * Format: int64
                 * @description Sequential for each tenant, from 1001, without gaps.
                 */
                number: number;
                /** @enum {string} */
                status: "pending" | "paid" | "cancelled";
                /**
                 * @description A cancelled order counts what is in `refund_due`, a paid one does not.
                 * @enum {string}
                 */
                payment_status: "unpaid" | "paid" | "partially_refunded" | "refunded";
                /**
                 * @description How much of the goods is in fulfilments. An order without goods to ship is `fulfilled` once it is paid.
                 * @enum {string}
                 */
                fulfilment_status: "unfulfilled" | "partially_fulfilled" | "fulfilled";
                /** @description Whether the payment is a test: the sandbox, or a Stripe test key. */
                test: boolean;
                items: components["schemas"]["OrderItem"][];
                totals: components["schemas"]["Totals"];
                /** @description The tax by rate, for invoices: the highest first, 0 included. `net` and `tax` add up to `totals.grand_total`, `tax` to `totals.tax`. Empty in orders from before rates were kept. */
                tax_lines: components["schemas"]["TaxLine"][];
                /** @description The rate of the tax on `totals.shipping`; 0 where shipping is not taxed. Null in orders from before it was kept. */
                shipping_tax_rate_percent: number | null;
                currency: string;
                /** @description The first code of `applied_promotions`. */
                coupon: string | null;
                applied_promotions: components["schemas"]["AppliedPromotion"][];
                /** @description As it was when the order was placed. Null if nothing is shipped. Its price is `totals.shipping`. */
                shipping_method: {
                    id: string;
                    name: string;
                } | null;
                customer: {
                    /** Format: int64 */
                    id: number | null;
                    name: string | null;
                    email: string | null;
                    phone: string | null;
                };
                addresses: {
                    shipping: {
                        country: string;
                        first_name?: string;
                        last_name?: string;
                        company?: string;
                        line1?: string;
                        line2?: string;
                        city?: string;
                        region?: string;
                        postal_code?: string;
                        phone?: string;
                    } | null;
                };
                /** @description Null if it is the shipping address. */
                billing_address: {
                    country: string;
                    first_name?: string;
                    last_name?: string;
                    company?: string;
                    line1?: string;
                    line2?: string;
                    city?: string;
                    region?: string;
                    postal_code?: string;
                    phone?: string;
                } | null;
                /** @description The shopper's message to the shop, entered at checkout. */
                note: string | null;
                /** @description Oldest first, cancelled ones included. Events of an order of more than 1.9 MB, without its `downloads`, have the latest ten only. */
                fulfilments: components["schemas"]["Fulfilment"][];
                tags: string[];
                /**
                 * Format: date-time
                 * @description When the shop archived the order; null while it is open. It only orders lists, and changes nothing else.
                 */
                archived_at: string | null;
                metadata: {
                    [key: string]: string;
                };
                /** @description Oldest first. Events of an order of more than 1.9 MB, without its `downloads`, have the latest ten only. */
                refunds: components["schemas"]["Refund"][];
                /** @description Money that arrived, which the order cannot use and which has not gone back yet, such as a second payment. The payment provider is asked for its return; in your own checkout pay it back, and report `refunded` with its `reference`. */
                refund_due: number;
                dispute: components["schemas"]["OrderDispute"];
                /** @description The shopping agent that filled the cart, by the URI of its profile; null for a shopper's own order. */
                agent: {
                    profile: string;
                } | null;
                /** @enum {string|null} */
                cancel_reason: "shopper" | "tenant" | "timeout" | null;
                /**
                 * Format: date-time
                 * @description When it was paid; null if it was not. `GET /v1/insights` counts its sale at this time.
                 */
                paid_at: string | null;
                /**
                 * Format: date-time
                 * @description When it was cancelled; null while its `status` is another one.
                 */
                cancelled_at: string | null;
                /** Format: date-time */
                created_at: string;
                /** Format: date-time */
                updated_at: string;
                /**
                 * Format: int64
                 * @description Increases for each resource: an event with a lower value is older.
                 */
                sequence: number;
                /** Format: date-time */
                occurred_at: string;
            };
        };
        OrderCancelledEvent: {
            /** @example evt_5d0c1f9a7e42b86c3d90fa17 */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "order.cancelled";
            /**
             * Format: date-time
             * @description When the event occurred.
             */
            timestamp: string;
            data: {
                /** @example ord_5Wd0XjvKq2TzNhLr8ePaYc1M */
                id: string;
                /**
                 * Format: int64
                 * @description Sequential for each tenant, from 1001, without gaps.
                 */
                number: number;
                /** @enum {string} */
                status: "pending" | "paid" | "cancelled";
                /**
                 * @description A cancelled order counts what is in `refund_due`, a paid one does not.
                 * @enum {string}
                 */
                payment_status: "unpaid" | "paid" | "partially_refunded" | "refunded";
                /**
                 * @description How much of the goods is in fulfilments. An order without goods to ship is `fulfilled` once it is paid.
                 * @enum {string}
                 */
                fulfilment_status: "unfulfilled" | "partially_fulfilled" | "fulfilled";
                /** @description Whether the payment is a test: the sandbox, or a Stripe test key. */
                test: boolean;
                items: components["schemas"]["OrderItem"][];
                totals: components["schemas"]["Totals"];
                /** @description The tax by rate, for invoices: the highest first, 0 included. `net` and `tax` add up to `totals.grand_total`, `tax` to `totals.tax`. Empty in orders from before rates were kept. */
                tax_lines: components["schemas"]["TaxLine"][];
                /** @description The rate of the tax on `totals.shipping`; 0 where shipping is not taxed. Null in orders from before it was kept. */
                shipping_tax_rate_percent: number | null;
                currency: string;
                /** @description The first code of `applied_promotions`. */
                coupon: string | null;
                applied_promotions: components["schemas"]["AppliedPromotion"][];
                /** @description As it was when the order was placed. Null if nothing is shipped. Its price is `totals.shipping`. */
                shipping_method: {
                    id: string;
                    name: string;
                } | null;
                customer: {
                    /** Format: int64 */
                    id: number | null;
                    name: string | null;
                    email: string | null;
                    phone: string | null;
                };
                addresses: {
                    shipping: {
                        country: string;
                        first_name?: string;
                        last_name?: string;
                        company?: string;
                        line1?: string;
                        line2?: string;
                        city?: string;
                        region?: string;
                        postal_code?: string;
                        phone?: string;
                    } | null;
                };
                /** @description Null if it is the shipping address. */
                billing_address: {
                    country: string;
                    first_name?: string;
                    last_name?: string;
                    company?: string;
                    line1?: string;
                    line2?: string;
                    city?: string;
                    region?: string;
                    postal_code?: string;
                    phone?: string;
                } | null;
                /** @description The shopper's message to the shop, entered at checkout. */
                note: string | null;
                /** @description Oldest first, cancelled ones included. Events of an order of more than 1.9 MB, without its `downloads`, have the latest ten only. */
                fulfilments: components["schemas"]["Fulfilment"][];
                tags: string[];
                /**
                 * Format: date-time
                 * @description When the shop archived the order; null while it is open. It only orders lists, and changes nothing else.
                 */
                archived_at: string | null;
                metadata: {
                    [key: string]: string;
                };
                /** @description Oldest first. Events of an order of more than 1.9 MB, without its `downloads`, have the latest ten only. */
                refunds: components["schemas"]["Refund"][];
                /** @description Money that arrived, which the order cannot use and which has not gone back yet, such as a second payment. The payment provider is asked for its return; in your own checkout pay it back, and report `refunded` with its `reference`. */
                refund_due: number;
                dispute: components["schemas"]["OrderDispute"];
                /** @description The shopping agent that filled the cart, by the URI of its profile; null for a shopper's own order. */
                agent: {
                    profile: string;
                } | null;
                /** @enum {string|null} */
                cancel_reason: "shopper" | "tenant" | "timeout" | null;
                /**
                 * Format: date-time
                 * @description When it was paid; null if it was not. `GET /v1/insights` counts its sale at this time.
                 */
                paid_at: string | null;
                /**
                 * Format: date-time
                 * @description When it was cancelled; null while its `status` is another one.
                 */
                cancelled_at: string | null;
                /** Format: date-time */
                created_at: string;
                /** Format: date-time */
                updated_at: string;
                /**
                 * Format: int64
                 * @description Increases for each resource: an event with a lower value is older.
                 */
                sequence: number;
                /** Format: date-time */
                occurred_at: string;
            };
        };
        OrderFulfilledEvent: {
            /** @example evt_5d0c1f9a7e42b86c3d90fa17 */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "order.fulfilled";
            /**
             * Format: date-time
             * @description When the event occurred.
             */
            timestamp: string;
            data: {
                /** @example ord_5Wd0XjvKq2TzNhLr8ePaYc1M */
                id: string;
                /**
                 * Format: int64
                 * @description Sequential for each tenant, from 1001, without gaps.
                 */
                number: number;
                /** @enum {string} */
                status: "pending" | "paid" | "cancelled";
                /**
                 * @description A cancelled order counts what is in `refund_due`, a paid one does not.
                 * @enum {string}
                 */
                payment_status: "unpaid" | "paid" | "partially_refunded" | "refunded";
                /**
                 * @description How much of the goods is in fulfilments. An order without goods to ship is `fulfilled` once it is paid.
                 * @enum {string}
                 */
                fulfilment_status: "unfulfilled" | "partially_fulfilled" | "fulfilled";
                /** @description Whether the payment is a test: the sandbox, or a Stripe test key. */
                test: boolean;
                items: components["schemas"]["OrderItem"][];
                totals: components["schemas"]["Totals"];
                /** @description The tax by rate, for invoices: the highest first, 0 included. `net` and `tax` add up to `totals.grand_total`, `tax` to `totals.tax`. Empty in orders from before rates were kept. */
                tax_lines: components["schemas"]["TaxLine"][];
                /** @description The rate of the tax on `totals.shipping`; 0 where shipping is not taxed. Null in orders from before it was kept. */
                shipping_tax_rate_percent: number | null;
                currency: string;
                /** @description The first code of `applied_promotions`. */
                coupon: string | null;
                applied_promotions: components["schemas"]["AppliedPromotion"][];
                /** @description As it was when the order was placed. Null if nothing is shipped. Its price is `totals.shipping`. */
                shipping_method: {
                    id: string;
                    name: string;
                } | null;
                customer: {
                    /** Format: int64 */
                    id: number | null;
                    name: string | null;
                    email: string | null;
                    phone: string | null;
                };
                addresses: {
                    shipping: {
                        country: string;
                        first_name?: string;
                        last_name?: string;
                        company?: string;
                        line1?: string;
                        line2?: string;
                        city?: string;
                        region?: string;
                        postal_code?: string;
                        phone?: string;
                    } | null;
                };
                /** @description Null if it is the shipping address. */
                billing_address: {
                    country: string;
                    first_name?: string;
                    last_name?: string;
                    company?: string;
                    line1?: string;
                    line2?: string;
                    city?: string;
                    region?: string;
                    postal_code?: string;
                    phone?: string;
                } | null;
                /** @description The shopper's message to the shop, entered at checkout. */
                note: string | null;
                /** @description Oldest first, cancelled ones included. Events of an order of more than 1.9 MB, without its `downloads`, have the latest ten only. */
                fulfilments: components["schemas"]["Fulfilment"][];
                tags: string[];
                /**
                 * Format: date-time
                 * @description When the shop archived the order; null while it is open. It only orders lists, and changes nothing else.
                 */
                archived_at: string | null;
                metadata: {
                    [key: string]: string;
                };
                /** @description Oldest first. Events of an order of more than 1.9 MB, without its `downloads`, have the latest ten only. */
                refunds: components["schemas"]["Refund"][];
                /** @description Money that arrived, which the order cannot use and which has not gone back yet, such as a second payment. The payment provider is asked for its return; in your own checkout pay it back, and report `refunded` with its `reference`. */
                refund_due: number;
                dispute: components["schemas"]["OrderDispute"];
                /** @description The shopping agent that filled the cart, by the URI of its profile; null for a shopper's own order. */
                agent: {
                    profile: string;
                } | null;
                /** @enum {string|null} */
                cancel_reason: "shopper" | "tenant" | "timeout" | null;
                /**
                 * Format: date-time
                 * @description When it was paid; null if it was not. `GET /v1/insights` counts its sale at this time.
                 */
                paid_at: string | null;
                /**
                 * Format: date-time
                 * @description When it was cancelled; null while its `status` is another one.
                 */
                cancelled_at: string | null;
                /** Format: date-time */
                created_at: string;
                /** Format: date-time */
                updated_at: string;
                fulfilment: components["schemas"]["Fulfilment"];
                /**
                 * Format: int64
                 * @description Increases for each resource: an event with a lower value is older.
                 */
                sequence: number;
                /** Format: date-time */
                occurred_at: string;
            };
        };
        OrderTrackingChangedEvent: {
            /** @example evt_5d0c1f9a7e42b86c3d90fa17 */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "order.tracking_changed";
            /**
             * Format: date-time
             * @description When the event occurred.
             */
            timestamp: string;
            data: {
                /** @example ord_5Wd0XjvKq2TzNhLr8ePaYc1M */
                id: string;
                /**
                 * Format: int64
                 * @description Sequential for each tenant, from 1001, without gaps.
                 */
                number: number;
                /** @enum {string} */
                status: "pending" | "paid" | "cancelled";
                /**
                 * @description A cancelled order counts what is in `refund_due`, a paid one does not.
                 * @enum {string}
                 */
                payment_status: "unpaid" | "paid" | "partially_refunded" | "refunded";
                /**
                 * @description How much of the goods is in fulfilments. An order without goods to ship is `fulfilled` once it is paid.
                 * @enum {string}
                 */
                fulfilment_status: "unfulfilled" | "partially_fulfilled" | "fulfilled";
                /** @description Whether the payment is a test: the sandbox, or a Stripe test key. */
                test: boolean;
                items: components["schemas"]["OrderItem"][];
                totals: components["schemas"]["Totals"];
                /** @description The tax by rate, for invoices: the highest first, 0 included. `net` and `tax` add up to `totals.grand_total`, `tax` to `totals.tax`. Empty in orders from before rates were kept. */
                tax_lines: components["schemas"]["TaxLine"][];
                /** @description The rate of the tax on `totals.shipping`; 0 where shipping is not taxed. Null in orders from before it was kept. */
                shipping_tax_rate_percent: number | null;
                currency: string;
                /** @description The first code of `applied_promotions`. */
                coupon: string | null;
                applied_promotions: components["schemas"]["AppliedPromotion"][];
                /** @description As it was when the order was placed. Null if nothing is shipped. Its price is `totals.shipping`. */
                shipping_method: {
                    id: string;
                    name: string;
                } | null;
                customer: {
                    /** Format: int64 */
                    id: number | null;
                    name: string | null;
                    email: string | null;
                    phone: string | null;
                };
                addresses: {
                    shipping: {
                        country: string;
                        first_name?: string;
                        last_name?: string;
                        company?: string;
                        line1?: string;
                        line2?: string;
                        city?: string;
                        region?: string;
                        postal_code?: string;
                        phone?: string;
                    } | null;
                };
                /** @description Null if it is the shipping address. */
                billing_address: {
                    country: string;
                    first_name?: string;
                    last_name?: string;
                    company?: string;
                    line1?: string;
                    line2?: string;
                    city?: string;
                    region?: string;
                    postal_code?: string;
                    phone?: string;
                } | null;
                /** @description The shopper's message to the shop, entered at checkout. */
                note: string | null;
                /** @description Oldest first, cancelled ones included. Events of an order of more than 1.9 MB, without its `downloads`, have the latest ten only. */
                fulfilments: components["schemas"]["Fulfilment"][];
                tags: string[];
                /**
                 * Format: date-time
                 * @description When the shop archived the order; null while it is open. It only orders lists, and changes nothing else.
                 */
                archived_at: string | null;
                metadata: {
                    [key: string]: string;
                };
                /** @description Oldest first. Events of an order of more than 1.9 MB, without its `downloads`, have the latest ten only. */
                refunds: components["schemas"]["Refund"][];
                /** @description Money that arrived, which the order cannot use and which has not gone back yet, such as a second payment. The payment provider is asked for its return; in your own checkout pay it back, and report `refunded` with its `reference`. */
                refund_due: number;
                dispute: components["schemas"]["OrderDispute"];
                /** @description The shopping agent that filled the cart, by the URI of its profile; null for a shopper's own order. */
                agent: {
                    profile: string;
                } | null;
                /** @enum {string|null} */
                cancel_reason: "shopper" | "tenant" | "timeout" | null;
                /**
                 * Format: date-time
                 * @description When it was paid; null if it was not. `GET /v1/insights` counts its sale at this time.
                 */
                paid_at: string | null;
                /**
                 * Format: date-time
                 * @description When it was cancelled; null while its `status` is another one.
                 */
                cancelled_at: string | null;
                /** Format: date-time */
                created_at: string;
                /** Format: date-time */
                updated_at: string;
                fulfilment: components["schemas"]["Fulfilment"];
                /**
                 * Format: int64
                 * @description Increases for each resource: an event with a lower value is older.
                 */
                sequence: number;
                /** Format: date-time */
                occurred_at: string;
            };
        };
        OrderRefundedEvent: {
            /** @example evt_5d0c1f9a7e42b86c3d90fa17 */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "order.refunded";
            /**
             * Format: date-time
             * @description When the event occurred.
             */
            timestamp: string;
            data: {
                /** @example ord_5Wd0XjvKq2TzNhLr8ePaYc1M */
                id: string;
                /**
                 * Format: int64
                 * @description Sequential for each tenant, from 1001, without gaps.
                 */
                number: number;
                /** @enum {string} */
                status: "pending" | "paid" | "cancelled";
                /**
                 * @description A cancelled order counts what is in `refund_due`, a paid one does not.
                 * @enum {string}
                 */
                payment_status: "unpaid" | "paid" | "partially_refunded" | "refunded";
                /**
                 * @description How much of the goods is in fulfilments. An order without goods to ship is `fulfilled` once it is paid.
                 * @enum {string}
                 */
                fulfilment_status: "unfulfilled" | "partially_fulfilled" | "fulfilled";
                /** @description Whether the payment is a test: the sandbox, or a Stripe test key. */
                test: boolean;
                items: components["schemas"]["OrderItem"][];
                totals: components["schemas"]["Totals"];
                /** @description The tax by rate, for invoices: the highest first, 0 included. `net` and `tax` add up to `totals.grand_total`, `tax` to `totals.tax`. Empty in orders from before rates were kept. */
                tax_lines: components["schemas"]["TaxLine"][];
                /** @description The rate of the tax on `totals.shipping`; 0 where shipping is not taxed. Null in orders from before it was kept. */
                shipping_tax_rate_percent: number | null;
                currency: string;
                /** @description The first code of `applied_promotions`. */
                coupon: string | null;
                applied_promotions: components["schemas"]["AppliedPromotion"][];
                /** @description As it was when the order was placed. Null if nothing is shipped. Its price is `totals.shipping`. */
                shipping_method: {
                    id: string;
                    name: string;
                } | null;
                customer: {
                    /** Format: int64 */
                    id: number | null;
                    name: string | null;
                    email: string | null;
                    phone: string | null;
                };
                addresses: {
                    shipping: {
                        country: string;
                        first_name?: string;
                        last_name?: string;
                        company?: string;
                        line1?: string;
                        line2?: string;
                        city?: string;
                        region?: string;
                        postal_code?: string;
                        phone?: string;
                    } | null;
                };
                /** @description Null if it is the shipping address. */
                billing_address: {
                    country: string;
                    first_name?: string;
                    last_name?: string;
                    company?: string;
                    line1?: string;
                    line2?: string;
                    city?: string;
                    region?: string;
                    postal_code?: string;
                    phone?: string;
                } | null;
                /** @description The shopper's message to the shop, entered at checkout. */
                note: string | null;
                /** @description Oldest first, cancelled ones included. Events of an order of more than 1.9 MB, without its `downloads`, have the latest ten only. */
                fulfilments: components["schemas"]["Fulfilment"][];
                tags: string[];
                /**
                 * Format: date-time
                 * @description When the shop archived the order; null while it is open. It only orders lists, and changes nothing else.
                 */
                archived_at: string | null;
                metadata: {
                    [key: string]: string;
                };
                /** @description Oldest first. Events of an order of more than 1.9 MB, without its `downloads`, have the latest ten only. */
                refunds: components["schemas"]["Refund"][];
                /** @description Money that arrived, which the order cannot use and which has not gone back yet, such as a second payment. The payment provider is asked for its return; in your own checkout pay it back, and report `refunded` with its `reference`. */
                refund_due: number;
                dispute: components["schemas"]["OrderDispute"];
                /** @description The shopping agent that filled the cart, by the URI of its profile; null for a shopper's own order. */
                agent: {
                    profile: string;
                } | null;
                /** @enum {string|null} */
                cancel_reason: "shopper" | "tenant" | "timeout" | null;
                /**
                 * Format: date-time
                 * @description When it was paid; null if it was not. `GET /v1/insights` counts its sale at this time.
                 */
                paid_at: string | null;
                /**
                 * Format: date-time
                 * @description When it was cancelled; null while its `status` is another one.
                 */
                cancelled_at: string | null;
                /** Format: date-time */
                created_at: string;
                /** Format: date-time */
                updated_at: string;
                refund: components["schemas"]["Refund"];
                /**
                 * Format: int64
                 * @description Increases for each resource: an event with a lower value is older.
                 */
                sequence: number;
                /** Format: date-time */
                occurred_at: string;
            };
        };
        ProductUpdatedEvent: {
            /** @example evt_5d0c1f9a7e42b86c3d90fa17 */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "product.updated";
            /**
             * Format: date-time
             * @description When the event occurred.
             */
            timestamp: string;
            data: {
                /** Format: int64 */
                id: number;
                sku: string;
                name: string;
                slug: string;
                description: string | null;
                /** @enum {string} */
                type: "simple" | "configurable" | "virtual" | "downloadable" | "grouped" | "bundled" | "booking";
                /** @description Of a configurable product its cheapest variant's; of a grouped or bundled one the price that was set for lists, while a cart charges what is chosen; of a downloadable one without its `links`. */
                price: number;
                currency: string;
                /** @description The price without the sale or, when none runs, `regular_price` as it was set, which is in the main currency only. Of a configurable product its cheapest variant's, else its own. */
                regular_price: number | null;
                /** @description Whether `price` is reduced, by a sale or below `regular_price`; of a configurable product, whether one of its variants is. */
                on_sale: boolean;
                /**
                 * Format: date-time
                 * @description When the running sale that reduces `price` ends. Null: no sale runs, or it has no end. Of a configurable product, when no variant has a sale at `price` any more.
                 * @example 2026-11-30T23:00:00.000Z
                 */
                sale_ends_at: string | null;
                /** @description The lowest and highest price of a configurable product's variants, else `price` twice. */
                price_range: {
                    min: number;
                    max: number;
                };
                /** @description Whether it can be sold: there is stock, or `inventory_policy` does not ask for it. Each group of a bundle is judged by itself, so a cart may refuse a choice of groups that share a product. */
                in_stock: boolean;
                /** @description What is chosen of a configurable product, in the variants' order; empty for other types. */
                options: components["schemas"]["ProductOption"][];
                /**
                 * Format: int64
                 * @description Available stock: on hand less reserved. Of a configurable or grouped product the sum over its variants or members; of a bundled one how many its required groups allow; of a booking the free places to come.
                 */
                stock: number;
                /**
                 * Format: uri
                 * @description The first image.
                 */
                image: string | null;
                images: string[];
                /** @enum {string} */
                status: "active" | "inactive";
                /** Format: date-time */
                created_at: string;
                /** @description The categories of the product with their ancestors, and those that the change took it out of. */
                category_ids: number[];
                /** @description Names of changed fields, or `["created"]`, or `["deleted"]`. */
                changed: string[];
                /** @description With `slug` among `changed`: the slug before, to purge and redirect its pages. It finds the product until another one takes it. */
                former_slug?: string;
                /**
                 * Format: int64
                 * @description Increases for each resource: an event with a lower value is older.
                 */
                sequence: number;
                /** Format: date-time */
                occurred_at: string;
            };
        };
        ProductOption: {
            name: string;
            values: string[];
        };
        CategoryUpdatedEvent: {
            /** @example evt_5d0c1f9a7e42b86c3d90fa17 */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "category.updated";
            /**
             * Format: date-time
             * @description When the event occurred.
             */
            timestamp: string;
            data: {
                /** Format: int64 */
                id: number;
                name: string;
                slug: string;
                /** Format: int64 */
                parent_id: number | null;
                description: string | null;
                /** Format: uri */
                image_url: string | null;
                hidden: boolean;
                /** Format: date-time */
                updated_at: string;
                /** @description Names of changed fields (`parent_id`: moved), or `["created"]`, or `["deleted"]`. */
                changed: string[];
                /** @description With `slug` among `changed`: the slug before, to purge and redirect its pages. It finds the category until another one takes it. */
                former_slug?: string;
                /**
                 * Format: int64
                 * @description Increases for each resource: an event with a lower value is older.
                 */
                sequence: number;
                /** Format: date-time */
                occurred_at: string;
            };
        };
        StockChangedEvent: {
            /** @example evt_5d0c1f9a7e42b86c3d90fa17 */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "stock.changed";
            /**
             * Format: date-time
             * @description When the event occurred.
             */
            timestamp: string;
            data: {
                /** Format: int64 */
                product_id: number;
                /**
                 * Format: int64
                 * @description Null for the product's own stock.
                 */
                variant_id: number | null;
                sku: string;
                /** Format: int64 */
                old_stock: number;
                /** Format: int64 */
                new_stock: number;
                /** @example checkout */
                reason: string;
                /**
                 * Format: int64
                 * @description Increases for each resource: an event with a lower value is older.
                 */
                sequence: number;
                /** Format: date-time */
                occurred_at: string;
            };
        };
        CustomerCreatedEvent: {
            /** @example evt_5d0c1f9a7e42b86c3d90fa17 */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "customer.created";
            /**
             * Format: date-time
             * @description When the event occurred.
             */
            timestamp: string;
            /** @description `name`, `email` and `phone` are null after the customer was erased. */
            data: {
                /** Format: int64 */
                id: number;
                name: string | null;
                /** Format: email */
                email: string | null;
                phone: string | null;
                /** Format: date-time */
                created_at: string;
                /**
                 * Format: int64
                 * @description Increases for each resource: an event with a lower value is older.
                 */
                sequence: number;
                /** Format: date-time */
                occurred_at: string;
            };
        };
        CustomerEmailChangedEvent: {
            /** @example evt_5d0c1f9a7e42b86c3d90fa17 */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "customer.email_changed";
            /**
             * Format: date-time
             * @description When the event occurred.
             */
            timestamp: string;
            /** @description `name`, `old_email` and `new_email` are null after the customer was erased. */
            data: {
                /** Format: int64 */
                customer_id: number;
                name: string | null;
                /**
                 * Format: email
                 * @description The address to notify about the change.
                 */
                old_email: string | null;
                /** Format: email */
                new_email: string | null;
                /**
                 * Format: int64
                 * @description Increases for each resource: an event with a lower value is older.
                 */
                sequence: number;
                /** Format: date-time */
                occurred_at: string;
            };
        };
        CartAbandonedEvent: {
            /** @example evt_5d0c1f9a7e42b86c3d90fa17 */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "cart.abandoned";
            /**
             * Format: date-time
             * @description When the event occurred.
             */
            timestamp: string;
            /** @description `cart_token` and `email` are null, and `metadata` is empty, after the customer was erased. */
            data: {
                items: components["schemas"]["CartItem"][];
                /**
                 * Format: int64
                 * @description The sum of the quantities.
                 */
                total_quantity: number;
                totals: components["schemas"]["Totals"];
                currency: string;
                /** @description Texts that the cart's holder keeps with it. The order gets a copy. */
                metadata: {
                    [key: string]: string;
                };
                /** @description Leads back to the cart. Whoever has it can read and change the cart: send it to the shopper only. */
                cart_token: string | null;
                /**
                 * Format: int64
                 * @description Null for a guest.
                 */
                customer_id: number | null;
                /** @description The customer's address; a guest's is the one given with an order that was refused, cancelled or not paid in time. */
                email: string | null;
                /** Format: date-time */
                created_at: string;
                /**
                 * Format: date-time
                 * @description The last change, an hour before the event.
                 */
                updated_at: string;
                /**
                 * Format: int64
                 * @description Increases for each resource: an event with a lower value is older.
                 */
                sequence: number;
                /** Format: date-time */
                occurred_at: string;
            };
        };
        CartItem: {
            /** Format: int64 */
            id: number;
            /** Format: int64 */
            product_id: number;
            /** Format: int64 */
            variant_id: number | null;
            sku: string;
            name: string;
            options: {
                [key: string]: unknown;
            };
            /** Format: int64 */
            quantity: number;
            unit_price: number;
            /** @description Unit price times quantity, before discount. */
            total: number;
            /** @description The item's part of each promotion that reduces it. */
            discounts: {
                /** Format: int64 */
                promotion_id: number;
                amount: number;
            }[];
            /** @description What `unit_price` is reduced from, to strike through: of a variant its own, of a bundle the sum of its items, with the surcharges of chosen downloads. Null if it is not reduced. */
            regular_price: number | null;
            /** @description The tax of the line after its discount, in it if `totals.tax_included`, else on top. What `totals.tax` has beyond the items' is that of shipping. */
            tax: number;
            /** @description The rate of that tax. */
            tax_rate_percent: number;
            /** @description The product's slug. Null only for a product that was deleted before carts had slugs. */
            slug: string | null;
            /**
             * Format: uri
             * @description The variant's image, or else the product's first.
             */
            image: string | null;
            /** @enum {string} */
            type: "simple" | "configurable" | "virtual" | "downloadable" | "grouped" | "bundled" | "booking";
            /** @description The choices to show to the shopper: variant attributes, bundle items by group, the times of a booking (`From` and `To`, ISO 8601 in UTC, with their `timezone`), the titles of downloads. */
            selected: {
                name: string;
                value: string;
                /**
                 * @description Of a booking's times: the IANA time zone of its place, in which the time is to be shown.
                 * @example Europe/Berlin
                 */
                timezone?: string;
            }[];
        };
        PingEvent: {
            /** @example evt_5d0c1f9a7e42b86c3d90fa17 */
            id: string;
            /** @enum {string} */
            type: "ping";
            /**
             * Format: date-time
             * @description When the event occurred.
             */
            timestamp: string;
            data: {
                /** Format: int64 */
                webhook_id: number;
            };
        };
        ProductList: {
            data: components["schemas"]["ProductListItem"][];
            meta: components["schemas"]["ProductListMeta"];
        };
        ProductListItem: {
            /** Format: int64 */
            id: number;
            sku: string;
            name: string;
            slug: string;
            description: string | null;
            /** @enum {string} */
            type: "simple" | "configurable" | "virtual" | "downloadable" | "grouped" | "bundled" | "booking";
            /** @description Of a configurable product its cheapest variant's; of a grouped or bundled one the price that was set for lists, while a cart charges what is chosen; of a downloadable one without its `links`. */
            price: number;
            currency: string;
            /** @description The price without the sale or, when none runs, `regular_price` as it was set, which is in the main currency only. Of a configurable product its cheapest variant's, else its own. */
            regular_price: number | null;
            /** @description Whether `price` is reduced, by a sale or below `regular_price`; of a configurable product, whether one of its variants is. */
            on_sale: boolean;
            /**
             * Format: date-time
             * @description When the running sale that reduces `price` ends. Null: no sale runs, or it has no end. Of a configurable product, when no variant has a sale at `price` any more.
             * @example 2026-11-30T23:00:00.000Z
             */
            sale_ends_at: string | null;
            /** @description The lowest price in the 30 days before the present reduction began (EU Directive 98/6/EC, art. 6a). Only while a reduction runs, and if there was a price before it. */
            lowest_price_30d?: number;
            /** @description The lowest and highest price of a configurable product's variants, else `price` twice. */
            price_range: {
                min: number;
                max: number;
            };
            /** @description Whether it can be sold: there is stock, or `inventory_policy` does not ask for it. Each group of a bundle is judged by itself, so a cart may refuse a choice of groups that share a product. */
            in_stock: boolean;
            /** @description What is chosen of a configurable product, in the variants' order; empty for other types. */
            options: components["schemas"]["ProductOption"][];
            /**
             * Format: int64
             * @description Available stock: on hand less reserved. Of a configurable or grouped product the sum over its variants or members; of a bundled one how many its required groups allow; of a booking the free places to come.
             */
            stock: number;
            /**
             * Format: uri
             * @description The first image.
             */
            image: string | null;
            images: string[];
            /** @description The same images with alternative text and size. */
            media: components["schemas"]["ShownImage"][];
            /** @enum {string} */
            status: "active" | "inactive";
            /** Format: date-time */
            created_at: string;
            variants?: components["schemas"]["Variant"][];
            categories?: components["schemas"]["ProductCategory"][];
        };
        ShownImage: {
            /** Format: uri */
            url: string;
            /** @description The alternative text; null: none is known. */
            alt: string | null;
            /**
             * Format: int64
             * @description Pixels; null unless the image was uploaded here.
             */
            width: number | null;
            /** Format: int64 */
            height: number | null;
        };
        Variant: {
            /** Format: int64 */
            id: number;
            sku: string;
            /**
             * @description Its values in the order of the options.
             * @example Black / M
             */
            name: string;
            price: number;
            /** @description The price without the sale or, when none runs, the variant's own `regular_price`, which is in the main currency only. */
            regular_price: number | null;
            /** @description Whether `price` is reduced, by a sale or below `regular_price`. */
            on_sale: boolean;
            /**
             * Format: date-time
             * @description When the running sale that reduces `price` ends. Null: no sale runs, or it has no end.
             * @example 2026-11-30T23:00:00.000Z
             */
            sale_ends_at: string | null;
            /** @description The lowest price in the 30 days before the present reduction began (EU Directive 98/6/EC, art. 6a). Only while a reduction runs, and if there was a price before it. */
            lowest_price_30d?: number;
            /** @description Only for callers with `catalog:write`. */
            sale?: {
                price?: number;
                prices?: {
                    [key: string]: number;
                };
                /** Format: date-time */
                starts_at: string | null;
                /** Format: date-time */
                ends_at: string | null;
            } | null;
            /** Format: int64 */
            stock: number;
            in_stock: boolean;
            /** @description The prices without a sale in the other currencies, if there are any. Only for callers with `catalog:write`. */
            prices?: {
                [key: string]: number;
            };
            attributes: {
                [key: string]: string;
            };
            /**
             * Format: int64
             * @description Grams; null: the product's weight applies.
             */
            weight: number | null;
            barcode?: string;
            /** Format: uri */
            image: string | null;
        };
        ProductCategory: {
            /** Format: int64 */
            id: number;
            name: string;
            slug: string;
            /** Format: int64 */
            parent_id: number | null;
            /** Format: uri */
            image_url: string | null;
            seo?: components["schemas"]["Seo"];
            /** @description Always empty: see `GET /v1/categories/{id}`. */
            children: components["schemas"]["Category"][];
        };
        Seo: {
            title?: string;
            description?: string;
            /** @description The image for social networks. It is returned exactly as it was sent. */
            og_image?: string;
        };
        Category: {
            /** Format: int64 */
            id: number;
            name: string;
            slug: string;
            /** Format: int64 */
            parent_id: number | null;
            description: string | null;
            /** Format: uri */
            image_url: string | null;
            seo?: components["schemas"]["Seo"];
            /**
             * Format: int64
             * @description Active products in the category and its descendants. After a large category was moved or deleted, it follows within seconds.
             */
            product_count: number;
            hidden: boolean;
            /**
             * Format: date-time
             * @description When the category itself changed last.
             */
            updated_at: string;
            /** @description Only for callers with the scope `catalog:write`. */
            metadata?: {
                [key: string]: string;
            };
            children: components["schemas"]["Category"][];
        };
        ProductListMeta: {
            /** Format: int64 */
            page: number;
            /** Format: int64 */
            limit: number;
            /** Format: int64 */
            total: number;
            /** Format: int64 */
            total_pages: number;
            /** @description The `cursor` of the next page, to use in place of `page`; null at the end. */
            next_cursor: string | null;
            facets?: components["schemas"]["Facets"];
        };
        /** @description The facets that the parameter `facets` requests. */
        Facets: {
            /** @description The lowest and highest price; null when nothing matches. */
            price?: {
                min: number | null;
                max: number | null;
            };
            in_stock?: components["schemas"]["FacetValue"][];
            type?: components["schemas"]["FacetValue"][];
            vendor?: components["schemas"]["FacetValue"][];
            tag?: components["schemas"]["FacetValue"][];
            category?: components["schemas"]["FacetValue"][];
        } & {
            [key: string]: components["schemas"]["FacetValue"][];
        };
        FacetValue: {
            value: string;
            label: string;
            /** Format: int64 */
            count: number;
        };
        PageMeta: {
            /** Format: int64 */
            page: number;
            /** Format: int64 */
            limit: number;
            /** Format: int64 */
            total: number;
            /** Format: int64 */
            total_pages: number;
            /** @description The `cursor` of the next page, to use in place of `page`; null at the end. */
            next_cursor: string | null;
        };
        /** @description Branch on `code`; later versions may add codes. */
        Error: {
            /** @description For people. May change. */
            message: string;
            /** @enum {string} */
            code: "invalid_json" | "unauthorized" | "invalid_credentials" | "invalid_customer_token" | "invalid_signature" | "plan_not_allowed" | "origin_not_allowed" | "tenant_suspended" | "not_found" | "tenant_not_found" | "application_not_found" | "import_not_found" | "product_not_found" | "category_not_found" | "cart_not_found" | "cart_item_not_found" | "customer_not_found" | "address_not_found" | "webhook_not_found" | "delivery_not_found" | "dead_letter_not_found" | "order_not_found" | "fulfilment_not_found" | "coupon_not_found" | "promotion_not_found" | "feed_not_found" | "media_not_found" | "session_not_found" | "move_not_found" | "method_not_allowed" | "email_taken" | "slug_taken" | "cart_empty" | "host_taken" | "code_taken" | "reference_taken" | "order_not_refundable" | "order_not_cancellable" | "order_not_fulfillable" | "fulfilment_cancelled" | "idempotency_in_progress" | "move_running" | "move_over" | "conflict" | "cart_expired" | "cursor_expired" | "precondition_failed" | "validation_error" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "unavailable";
            /** @description Field path → messages. */
            errors?: {
                [key: string]: string[];
            };
            details?: {
                /**
                 * Format: int64
                 * @description Of `POST /v1/cart` and a batch: which of the `items` or `operations` failed, from 0.
                 */
                index?: number;
            } & {
                [key: string]: unknown;
            };
            request_id: string;
        } | {
            /** @description For people. May change. */
            message: string;
            /** @enum {string} */
            code: "insufficient_scope";
            /** @description Field path → messages. */
            errors?: {
                [key: string]: string[];
            };
            details?: {
                /** @enum {string} */
                required_scope: "catalog:read" | "catalog:write" | "inventory:write" | "cart:read" | "cart:write" | "customers:write" | "customers:admin" | "checkout:write" | "theme:read" | "theme:write" | "feed:read" | "webhooks:read" | "webhooks:write" | "orders:read" | "orders:write" | "coupons:write" | "settings:read" | "settings:write";
            } & {
                [key: string]: unknown;
            };
            request_id: string;
        } | {
            /** @description For people. May change. */
            message: string;
            /** @enum {string} */
            code: "request_timeout";
            /** @description Field path → messages. */
            errors?: {
                [key: string]: string[];
            };
            details?: {
                max_seconds: number;
            } & {
                [key: string]: unknown;
            };
            request_id: string;
        } | {
            /** @description For people. May change. */
            message: string;
            /** @enum {string} */
            code: "insufficient_stock";
            /** @description Field path → messages. */
            errors?: {
                [key: string]: string[];
            };
            details?: {
                /** Format: int64 */
                product_id?: number;
                /**
                 * Format: int64
                 * @description The quantity of this call.
                 */
                requested?: number;
                /**
                 * Format: int64
                 * @description The quantity that can be sold.
                 */
                available?: number;
                /**
                 * Format: int64
                 * @description What other lines take; at checkout, what the cart holds.
                 */
                in_cart?: number;
                /** Format: int64 */
                variant_id?: number | null;
                sku?: string | null;
                /**
                 * Format: int64
                 * @description Of `POST /v1/cart` and a batch: which of the `items` or `operations` failed, from 0.
                 */
                index?: number;
            } & {
                [key: string]: unknown;
            };
            request_id: string;
        } | {
            /** @description For people. May change. */
            message: string;
            /** @enum {string} */
            code: "sku_taken";
            /** @description Field path → messages. */
            errors?: {
                [key: string]: string[];
            };
            details?: {
                /**
                 * Format: int64
                 * @description The product that has it, itself or as a variant.
                 */
                product_id?: number;
                sku?: string;
            } & {
                [key: string]: unknown;
            };
            request_id: string;
        } | {
            /** @description For people. May change. */
            message: string;
            /** @enum {string} */
            code: "cart_locked";
            /** @description Field path → messages. */
            errors?: {
                [key: string]: string[];
            };
            details?: {
                order_id?: string;
            } & {
                [key: string]: unknown;
            };
            request_id: string;
        } | {
            /** @description For people. May change. */
            message: string;
            /** @enum {string} */
            code: "price_changed";
            /** @description Field path → messages. */
            errors?: {
                [key: string]: string[];
            };
            details?: {
                /** @description The repriced cart. Absent where an order is placed: the checkout session has the new total. */
                cart?: components["schemas"]["Cart"];
            } & {
                [key: string]: unknown;
            };
            request_id: string;
        } | {
            /** @description For people. May change. */
            message: string;
            /** @enum {string} */
            code: "slot_unavailable";
            /** @description Field path → messages. */
            errors?: {
                [key: string]: string[];
            };
            details?: {
                /** Format: int64 */
                product_id?: number;
                /**
                 * Format: int64
                 * @description The quantity of this call.
                 */
                requested?: number;
                /**
                 * Format: int64
                 * @description The quantity that can be sold.
                 */
                available?: number;
                /**
                 * Format: int64
                 * @description What other lines take; at checkout, what the cart holds.
                 */
                in_cart?: number;
                /** Format: int64 */
                variant_id?: number | null;
                /** Format: date-time */
                from?: string;
                /** Format: date-time */
                to?: string;
                /**
                 * Format: int64
                 * @description Of `POST /v1/cart` and a batch: which of the `items` or `operations` failed, from 0.
                 */
                index?: number;
            } & {
                [key: string]: unknown;
            };
            request_id: string;
        } | {
            /** @description For people. May change. */
            message: string;
            /** @enum {string} */
            code: "shipping_unavailable";
            /** @description Field path → messages. */
            errors?: {
                [key: string]: string[];
            };
            details?: {
                /** @description The ids of the methods that fit, where one was chosen. */
                available?: string[];
                /**
                 * Format: int64
                 * @description Of `POST /v1/cart` and a batch: which of the `items` or `operations` failed, from 0.
                 */
                index?: number;
            } & {
                [key: string]: unknown;
            };
            request_id: string;
        } | {
            /** @description For people. May change. */
            message: string;
            /** @enum {string} */
            code: "total_not_chargeable";
            /** @description Field path → messages. */
            errors?: {
                [key: string]: string[];
            };
            details?: {
                total: number;
                currency: string;
            } & {
                [key: string]: unknown;
            };
            request_id: string;
        } | {
            /** @description For people. May change. */
            message: string;
            /** @enum {string} */
            code: "coupon_not_applicable";
            /** @description Field path → messages. */
            errors?: {
                [key: string]: string[];
            };
            details?: {
                /** @enum {string} */
                reason: "no_eligible_line" | "below_minimum_subtotal" | "below_minimum_quantity" | "currency" | "not_started" | "ended" | "used_up_by_customer" | "not_first_order" | "used_up" | "too_many_codes";
                /** @description With `below_minimum_subtotal`: the value of the goods from which it applies, in the currency of the cart. */
                minimum_subtotal?: number;
                /**
                 * Format: int64
                 * @description With `below_minimum_quantity`: how many of the goods that it is for must be in the cart.
                 */
                minimum_quantity?: number;
                /** @description The code, where an order is placed. */
                code?: string;
                /**
                 * Format: int64
                 * @description Of `POST /v1/cart` and a batch: which of the `items` or `operations` failed, from 0.
                 */
                index?: number;
            } & {
                [key: string]: unknown;
            };
            request_id: string;
        } | {
            /** @description For people. May change. */
            message: string;
            /** @enum {string} */
            code: "quota_exceeded";
            /** @description Field path → messages. */
            errors?: {
                [key: string]: string[];
            };
            details?: {
                quota: string;
                /** Format: int64 */
                limit: number;
            } & {
                [key: string]: unknown;
            };
            request_id: string;
        } | {
            /** @description For people. May change. */
            message: string;
            /** @enum {string} */
            code: "refund_too_large";
            /** @description Field path → messages. */
            errors?: {
                [key: string]: string[];
            };
            details?: {
                /**
                 * Format: int64
                 * @description Set when units of this line are not left.
                 */
                line_id?: number;
                requested?: number;
                /** @description The amount, or the units, that are left. */
                refundable?: number;
            } & {
                [key: string]: unknown;
            };
            request_id: string;
        } | {
            /** @description For people. May change. */
            message: string;
            /** @enum {string} */
            code: "media_in_use";
            /** @description Field path → messages. */
            errors?: {
                [key: string]: string[];
            };
            details?: {
                product_ids: number[];
                category_ids: number[];
                theme: boolean;
            } & {
                [key: string]: unknown;
            };
            request_id: string;
        } | {
            /** @description For people. May change. */
            message: string;
            /** @enum {string} */
            code: "payload_too_large";
            /** @description Field path → messages. */
            errors?: {
                [key: string]: string[];
            };
            details?: {
                /** Format: int64 */
                max_bytes: number;
            } & {
                [key: string]: unknown;
            };
            request_id: string;
        } | {
            /** @description For people. May change. */
            message: string;
            /** @enum {string} */
            code: "unsupported_media_type";
            /** @description Field path → messages. */
            errors?: {
                [key: string]: string[];
            };
            details?: {
                /** @description The media types that the call takes. */
                takes?: string;
                /** @description The type of an image's `Content-Type`. */
                declared?: string;
                /** @description The type of the bytes; null if they are no image. */
                detected?: string | null;
            } & {
                [key: string]: unknown;
            };
            request_id: string;
        } | {
            /** @description For people. May change. */
            message: string;
            /** @enum {string} */
            code: "invalid_image";
            /** @description Field path → messages. */
            errors?: {
                [key: string]: string[];
            };
            details?: {
                reason: string;
            } & {
                [key: string]: unknown;
            };
            request_id: string;
        };
        /**
         * @description Defaults to the tenant's main currency.
         * @example EUR
         * @enum {string}
         */
        Currency: "AED" | "AFN" | "ALL" | "AMD" | "AOA" | "ARS" | "AUD" | "AWG" | "AZN" | "BAM" | "BBD" | "BDT" | "BHD" | "BIF" | "BMD" | "BND" | "BOB" | "BOV" | "BRL" | "BSD" | "BTN" | "BWP" | "BYN" | "BZD" | "CAD" | "CDF" | "CHE" | "CHF" | "CHW" | "CLF" | "CLP" | "CNY" | "COP" | "COU" | "CRC" | "CUP" | "CVE" | "CZK" | "DJF" | "DKK" | "DOP" | "DZD" | "EGP" | "ERN" | "ETB" | "EUR" | "FJD" | "FKP" | "GBP" | "GEL" | "GHS" | "GIP" | "GMD" | "GNF" | "GTQ" | "GYD" | "HKD" | "HNL" | "HTG" | "HUF" | "IDR" | "ILS" | "INR" | "IQD" | "IRR" | "ISK" | "JMD" | "JOD" | "JPY" | "KES" | "KGS" | "KHR" | "KMF" | "KPW" | "KRW" | "KWD" | "KYD" | "KZT" | "LAK" | "LBP" | "LKR" | "LRD" | "LSL" | "LYD" | "MAD" | "MDL" | "MGA" | "MKD" | "MMK" | "MNT" | "MOP" | "MRU" | "MUR" | "MVR" | "MWK" | "MXN" | "MXV" | "MYR" | "MZN" | "NAD" | "NGN" | "NIO" | "NOK" | "NPR" | "NZD" | "OMR" | "PAB" | "PEN" | "PGK" | "PHP" | "PKR" | "PLN" | "PYG" | "QAR" | "RON" | "RSD" | "RUB" | "RWF" | "SAR" | "SBD" | "SCR" | "SDG" | "SEK" | "SGD" | "SHP" | "SLE" | "SOS" | "SRD" | "SSP" | "STN" | "SVC" | "SYP" | "SZL" | "THB" | "TJS" | "TMT" | "TND" | "TOP" | "TRY" | "TTD" | "TWD" | "TZS" | "UAH" | "UGX" | "USD" | "USN" | "UYI" | "UYU" | "UYW" | "UZS" | "VED" | "VES" | "VND" | "VUV" | "WST" | "XAD" | "XAF" | "XCD" | "XCG" | "XOF" | "XPF" | "YER" | "ZAR" | "ZMW" | "ZWG" | (string & Record<never, never>);
        Product: {
            /** Format: int64 */
            id: number;
            sku: string;
            name: string;
            slug: string;
            description: string | null;
            /** @enum {string} */
            type: "simple" | "configurable" | "virtual" | "downloadable" | "grouped" | "bundled" | "booking";
            /** @description Of a configurable product its cheapest variant's; of a grouped or bundled one the price that was set for lists, while a cart charges what is chosen; of a downloadable one without its `links`. */
            price: number;
            currency: string;
            /** @description The price without the sale or, when none runs, `regular_price` as it was set, which is in the main currency only. Of a configurable product its cheapest variant's, else its own. */
            regular_price: number | null;
            /** @description Whether `price` is reduced, by a sale or below `regular_price`; of a configurable product, whether one of its variants is. */
            on_sale: boolean;
            /**
             * Format: date-time
             * @description When the running sale that reduces `price` ends. Null: no sale runs, or it has no end. Of a configurable product, when no variant has a sale at `price` any more.
             * @example 2026-11-30T23:00:00.000Z
             */
            sale_ends_at: string | null;
            /** @description The lowest price in the 30 days before the present reduction began (EU Directive 98/6/EC, art. 6a). Only while a reduction runs, and if there was a price before it. */
            lowest_price_30d?: number;
            /** @description The lowest and highest price of a configurable product's variants, else `price` twice. */
            price_range: {
                min: number;
                max: number;
            };
            /** @description Whether it can be sold: there is stock, or `inventory_policy` does not ask for it. Each group of a bundle is judged by itself, so a cart may refuse a choice of groups that share a product. */
            in_stock: boolean;
            /** @description What is chosen of a configurable product, in the variants' order; empty for other types. */
            options: components["schemas"]["ProductOption"][];
            /**
             * Format: int64
             * @description Available stock: on hand less reserved. Of a configurable or grouped product the sum over its variants or members; of a bundled one how many its required groups allow; of a booking the free places to come.
             */
            stock: number;
            /**
             * Format: uri
             * @description The first image.
             */
            image: string | null;
            images: string[];
            /** @description The same images with alternative text and size. */
            media: components["schemas"]["ShownImage"][];
            /** @enum {string} */
            status: "active" | "inactive";
            /** Format: date-time */
            created_at: string;
            variants?: components["schemas"]["Variant"][];
            categories?: components["schemas"]["ProductCategory"][];
            seo?: components["schemas"]["Seo"];
            /** Format: date-time */
            updated_at: string;
            barcode?: string;
            tags: string[];
            vendor?: string;
            tax_class?: string;
            /**
             * Format: int64
             * @description Grams of one unit; null: not known.
             */
            weight: number | null;
            /** @description The running or scheduled sale. Only for callers with `catalog:write`. */
            sale?: {
                price?: number;
                prices?: {
                    [key: string]: number;
                };
                /** Format: date-time */
                starts_at: string | null;
                /** Format: date-time */
                ends_at: string | null;
            } | null;
            attributes: {
                [key: string]: string | string[];
            };
            /** @description The prices without a sale in the other currencies, if there are any. Only for callers with `catalog:write`. */
            prices?: {
                [key: string]: number;
            };
            /** @description Only for callers with `catalog:write`. */
            metadata?: {
                [key: string]: string;
            };
            /** @enum {string} */
            inventory_policy: "deny" | "continue" | "untracked";
            links?: {
                /** Format: int64 */
                id: number;
                title: string;
                /** @description What the file adds to the price of the product. Absent if it is not sold in the currency; a free one is 0 in each. */
                price?: number;
                /** @description The prices without a sale in the other currencies, if there are any. Only for callers with `catalog:write`. */
                prices?: {
                    [key: string]: number;
                };
            }[];
            grouped?: {
                /** Format: int64 */
                product_id: number;
                /**
                 * Format: int64
                 * @description What a cart takes without `options.qty`; with it, only the products that it names.
                 */
                default_quantity: number;
            }[];
            bundle_groups?: {
                /** Format: int64 */
                id: number;
                title: string;
                /** @description Whether a cart takes the bundle only with a choice from this group. */
                required: boolean;
                /** @description Whether several of the items can be chosen. */
                multiple: boolean;
                items: {
                    /**
                     * Format: int64
                     * @description What `options.bundle_options` of a cart names.
                     */
                    id: number;
                    /** Format: int64 */
                    product_id: number;
                    /**
                     * Format: int64
                     * @description Units of the product in the bundle, if the item is chosen.
                     */
                    quantity: number;
                    /** @description Whether a form has it chosen at first. A cart takes only what its `options` name. */
                    default: boolean;
                }[];
            }[];
            booking?: {
                /**
                 * @description The IANA time zone of the place, in which the times are to be shown.
                 * @example Europe/Berlin
                 */
                timezone: string;
                /** @description The soonest first. One leaves the list within two minutes after it begins, but for callers with `catalog:write`. */
                slots: {
                    /** Format: int64 */
                    id: number;
                    /** Format: date-time */
                    from: string;
                    /** Format: date-time */
                    to: string;
                    /** Format: int64 */
                    capacity: number;
                    /**
                     * Format: int64
                     * @description The places that are free.
                     */
                    available: number;
                }[];
            };
        } & ({
            /** @enum {string} */
            type: "simple" | "virtual";
        } | {
            /** @enum {string} */
            type: "configurable";
            variants: components["schemas"]["Variant"][];
        } | {
            /** @enum {string} */
            type: "downloadable";
            links: {
                /** Format: int64 */
                id: number;
                title: string;
                /** @description What the file adds to the price of the product. Absent if it is not sold in the currency; a free one is 0 in each. */
                price?: number;
                /** @description The prices without a sale in the other currencies, if there are any. Only for callers with `catalog:write`. */
                prices?: {
                    [key: string]: number;
                };
            }[];
        } | {
            /** @enum {string} */
            type: "grouped";
            grouped: {
                /** Format: int64 */
                product_id: number;
                /**
                 * Format: int64
                 * @description What a cart takes without `options.qty`; with it, only the products that it names.
                 */
                default_quantity: number;
            }[];
        } | {
            /** @enum {string} */
            type: "bundled";
            bundle_groups: {
                /** Format: int64 */
                id: number;
                title: string;
                /** @description Whether a cart takes the bundle only with a choice from this group. */
                required: boolean;
                /** @description Whether several of the items can be chosen. */
                multiple: boolean;
                items: {
                    /**
                     * Format: int64
                     * @description What `options.bundle_options` of a cart names.
                     */
                    id: number;
                    /** Format: int64 */
                    product_id: number;
                    /**
                     * Format: int64
                     * @description Units of the product in the bundle, if the item is chosen.
                     */
                    quantity: number;
                    /** @description Whether a form has it chosen at first. A cart takes only what its `options` name. */
                    default: boolean;
                }[];
            }[];
        } | {
            /** @enum {string} */
            type: "booking";
            booking: {
                /**
                 * @description The IANA time zone of the place, in which the times are to be shown.
                 * @example Europe/Berlin
                 */
                timezone: string;
                /** @description The soonest first. One leaves the list within two minutes after it begins, but for callers with `catalog:write`. */
                slots: {
                    /** Format: int64 */
                    id: number;
                    /** Format: date-time */
                    from: string;
                    /** Format: date-time */
                    to: string;
                    /** Format: int64 */
                    capacity: number;
                    /**
                     * Format: int64
                     * @description The places that are free.
                     */
                    available: number;
                }[];
            };
        });
        RelatedProducts: {
            data: components["schemas"]["ProductListItem"][];
        };
        ProductCreate: {
            name: string;
            /** @enum {string} */
            type: "simple" | "configurable" | "virtual" | "downloadable" | "grouped" | "bundled" | "booking";
            price: number;
            sku?: string;
            slug?: string;
            /** @enum {string} */
            status?: "active" | "inactive";
            stock?: number;
            /** @description The price before a reduction, in the main currency; not below `price`. Null: none. In a product that is sent back as it was read during its sale (`price` is that of `sale`, or both are as shown and only `sale` is another one), it is the ordinary price, and the one that was set stays; so it does in a configurable product that is sent back with its cheapest variant's. */
            regular_price?: number | null;
            prices?: {
                [key: string]: number;
            };
            sale?: components["schemas"]["SaleInput"];
            description?: string | null;
            images?: (string | {
                /**
                 * Format: uri
                 * @description The `url` of an uploaded image, or any https URL. Stored as an RFC 3986 URI.
                 */
                url: string;
                alt?: string | null;
            })[];
            /** @description The images as responses have them. Without `images` they replace the images of the product; with it they only give texts to the images that it names without one. */
            media?: {
                /**
                 * Format: uri
                 * @description The `url` of an uploaded image, or any https URL. Stored as an RFC 3986 URI.
                 */
                url: string;
                alt?: string | null;
                /** Format: int64 */
                readonly width?: number | null;
                /** Format: int64 */
                readonly height?: number | null;
            }[];
            category_ids?: number[];
            seo?: components["schemas"]["Seo"] | null;
            barcode?: string | null;
            tags?: string[];
            vendor?: string | null;
            /** @description Selects the product's rates in `tax.rates_by_class` of the tenant's settings. The standard rates apply to an unknown class. */
            tax_class?: string | null;
            /** @description Grams of one unit, for shipping methods with prices by weight. A variant can have its own; a bundle weighs what is chosen of it. */
            weight?: number | null;
            /** @description Properties of the product by name, such as its material. Public, and replaced as a whole. */
            attributes?: {
                [key: string]: string | string[];
            };
            /** @description Texts of your own systems by key. Keys that are left out stay as they are; null or an empty text removes a key, and null in place of the object removes all. */
            metadata?: {
                [key: string]: string | null;
            } | null;
            /** @enum {string} */
            inventory_policy?: "deny" | "continue" | "untracked";
            variants?: {
                readonly name?: string;
                readonly in_stock?: boolean;
                readonly on_sale?: boolean;
                /** Format: date-time */
                readonly sale_ends_at?: string | null;
                readonly lowest_price_30d?: number;
                /** Format: int64 */
                id?: number;
                sku: string;
                price: number;
                prices?: {
                    [key: string]: number;
                };
                /** @description The variant's own price before a reduction, in the main currency; not below `price`. Null: none. In a variant that is sent back as it was read during a sale (`on_sale: true`), it is the ordinary price, and `price` is ignored. */
                regular_price?: number | null;
                sale?: components["schemas"]["SaleInput"];
                stock?: number;
                attributes: {
                    [key: string]: string;
                };
                barcode?: string | null;
                /** @description Grams of one unit. Null, the default: the product's weight. */
                weight?: number | null;
                /**
                 * Format: uri
                 * @description The `url` of an uploaded image, or any https URL. Stored as an RFC 3986 URI.
                 */
                image?: string | null;
            }[];
            links?: {
                /** Format: int64 */
                id?: number;
                title: string;
                /** @default 0 */
                price?: number;
                prices?: {
                    [key: string]: number;
                };
                /**
                 * Format: uri
                 * @description Where the file is: who paid is redirected to it. Left out, the link with this `id` keeps its own. Never in a response.
                 */
                url?: string;
            }[];
            grouped?: {
                /** Format: int64 */
                product_id: number;
                /** @default 1 */
                default_quantity?: number;
            }[];
            bundle_groups?: {
                /** Format: int64 */
                id?: number;
                title: string;
                /** @default true */
                required?: boolean;
                /** @default false */
                multiple?: boolean;
                items: {
                    /** Format: int64 */
                    id?: number;
                    /** Format: int64 */
                    product_id: number;
                    /** @default 1 */
                    quantity?: number;
                    /** @default false */
                    default?: boolean;
                }[];
            }[];
            booking?: {
                timezone: string;
                slots: {
                    /** Format: int64 */
                    id?: number;
                    /** Format: date-time */
                    from: string;
                    /** Format: date-time */
                    to: string;
                    capacity: number;
                    /** Format: int64 */
                    readonly available?: number;
                }[];
            };
        };
        /** @description A price below the ordinary one, from `starts_at` (by default at once) until `ends_at` (by default without an end). `price` is in the main currency, `prices` are by currency; in others the ordinary price stays. Replaced as a whole, and removed when it has ended. */
        SaleInput: {
            price?: number;
            prices?: {
                [key: string]: number;
            };
            /** Format: date-time */
            starts_at?: string | null;
            /** Format: date-time */
            ends_at?: string | null;
        } | null;
        ProductPatch: {
            name?: string;
            /** @enum {string} */
            type?: "simple" | "configurable" | "virtual" | "downloadable" | "grouped" | "bundled" | "booking";
            price?: number;
            sku?: string;
            slug?: string;
            /** @enum {string} */
            status?: "active" | "inactive";
            stock?: number;
            /** @description The price before a reduction, in the main currency; not below `price`. Null: none. In a product that is sent back as it was read during its sale (`price` is that of `sale`, or both are as shown and only `sale` is another one), it is the ordinary price, and the one that was set stays; so it does in a configurable product that is sent back with its cheapest variant's. */
            regular_price?: number | null;
            prices?: {
                [key: string]: number;
            };
            sale?: components["schemas"]["SaleInput"];
            description?: string | null;
            images?: (string | {
                /**
                 * Format: uri
                 * @description The `url` of an uploaded image, or any https URL. Stored as an RFC 3986 URI.
                 */
                url: string;
                alt?: string | null;
            })[];
            /** @description The images as responses have them. Without `images` they replace the images of the product; with it they only give texts to the images that it names without one. */
            media?: {
                /**
                 * Format: uri
                 * @description The `url` of an uploaded image, or any https URL. Stored as an RFC 3986 URI.
                 */
                url: string;
                alt?: string | null;
                /** Format: int64 */
                readonly width?: number | null;
                /** Format: int64 */
                readonly height?: number | null;
            }[];
            category_ids?: number[];
            seo?: components["schemas"]["Seo"] | null;
            barcode?: string | null;
            tags?: string[];
            vendor?: string | null;
            /** @description Selects the product's rates in `tax.rates_by_class` of the tenant's settings. The standard rates apply to an unknown class. */
            tax_class?: string | null;
            /** @description Grams of one unit, for shipping methods with prices by weight. A variant can have its own; a bundle weighs what is chosen of it. */
            weight?: number | null;
            /** @description Properties of the product by name, such as its material. Public, and replaced as a whole. */
            attributes?: {
                [key: string]: string | string[];
            };
            /** @description Texts of your own systems by key. Keys that are left out stay as they are; null or an empty text removes a key, and null in place of the object removes all. */
            metadata?: {
                [key: string]: string | null;
            } | null;
            /** @enum {string} */
            inventory_policy?: "deny" | "continue" | "untracked";
            variants?: ({
                readonly name?: string;
                readonly in_stock?: boolean;
                readonly on_sale?: boolean;
                /** Format: date-time */
                readonly sale_ends_at?: string | null;
                readonly lowest_price_30d?: number;
                /** Format: int64 */
                id?: number;
                sku?: string;
                price: number;
                prices?: {
                    [key: string]: number;
                };
                /** @description The variant's own price before a reduction, in the main currency; not below `price`. Null: none. In a variant that is sent back as it was read during a sale (`on_sale: true`), it is the ordinary price, and `price` is ignored. */
                regular_price?: number | null;
                sale?: components["schemas"]["SaleInput"];
                stock?: number;
                attributes: {
                    [key: string]: string;
                };
                barcode?: string | null;
                /** @description Grams of one unit. Null, the default: the product's weight. */
                weight?: number | null;
                /**
                 * Format: uri
                 * @description The `url` of an uploaded image, or any https URL. Stored as an RFC 3986 URI.
                 */
                image?: string | null;
            } | unknown | unknown)[];
            links?: {
                /** Format: int64 */
                id?: number;
                title: string;
                /** @default 0 */
                price?: number;
                prices?: {
                    [key: string]: number;
                };
                /**
                 * Format: uri
                 * @description Where the file is: who paid is redirected to it. Left out, the link with this `id` keeps its own. Never in a response.
                 */
                url?: string;
            }[];
            grouped?: {
                /** Format: int64 */
                product_id: number;
                /** @default 1 */
                default_quantity?: number;
            }[];
            bundle_groups?: {
                /** Format: int64 */
                id?: number;
                title: string;
                /** @default true */
                required?: boolean;
                /** @default false */
                multiple?: boolean;
                items: {
                    /** Format: int64 */
                    id?: number;
                    /** Format: int64 */
                    product_id: number;
                    /** @default 1 */
                    quantity?: number;
                    /** @default false */
                    default?: boolean;
                }[];
            }[];
            booking?: {
                timezone: string;
                slots: {
                    /** Format: int64 */
                    id?: number;
                    /** Format: date-time */
                    from: string;
                    /** Format: date-time */
                    to: string;
                    capacity: number;
                    /** Format: int64 */
                    readonly available?: number;
                }[];
            };
        };
        BulkResult: {
            /**
             * Format: int64
             * @description Products that changed.
             */
            updated: number;
            /**
             * Format: int64
             * @description Products that already were as the change says.
             */
            unchanged: number;
            /** @description The products that did not change, and why. The others did. */
            errors: {
                /** Format: int64 */
                id: number;
                /** @enum {string} */
                code: "product_not_found" | "validation_error";
                message: string;
                /** @description The first 20 fields that refuse the change. */
                errors?: {
                    [key: string]: string[];
                };
            }[];
        };
        BulkRequest: {
            ids: number[];
            change: components["schemas"]["BulkChange"];
        };
        BulkChange: {
            /** @enum {string} */
            status?: "active" | "inactive";
            price?: components["schemas"]["PriceChange"];
            add_category_ids?: number[];
            remove_category_ids?: number[];
        };
        /** @description `set` and `amount` (added; negative: deducted) change the price in the main currency, `percent` those in all currencies, rounded half up. Of a configurable product, every variant's. A running sale's price stays. */
        PriceChange: {
            /** @enum {string} */
            kind: "set";
            amount: number;
        } | {
            /** @enum {string} */
            kind: "amount";
            amount: number;
        } | {
            /** @enum {string} */
            kind: "percent";
            percent: number;
        };
        PricesUpdated: {
            data: {
                sku: string;
                /** Format: int64 */
                product_id: number;
                /**
                 * Format: int64
                 * @description Null for the product's own price.
                 */
                variant_id: number | null;
                /** @description The ordinary price in the main currency. */
                price: number;
            }[];
        };
        PricesUpdate: {
            items: components["schemas"]["PricedItem"][];
        };
        PricedItem: {
            sku: string;
            /** @description The ordinary price in the main currency. */
            price?: number;
            /** @description Replaces the ordinary prices in other currencies. */
            prices?: {
                [key: string]: number;
            };
            /** @description In the main currency. Null: none. */
            regular_price?: number | null;
            sale?: components["schemas"]["SaleInput"];
        };
        CategoryTree: {
            data: components["schemas"]["Category"][];
        };
        CategoryCreate: {
            name: string;
            slug?: string;
            /** Format: int64 */
            parent_id?: number | null;
            /** @description The texts of all categories (names, slugs, descriptions, images, SEO texts, metadata) have at most 8 MiB together as JSON: a write that exceeds them is 422, unless its own are at most 400 bytes. */
            description?: string | null;
            /**
             * Format: uri
             * @description The `url` of an uploaded image, or any https URL. Stored as an RFC 3986 URI.
             */
            image_url?: string | null;
            seo?: components["schemas"]["Seo"] | null;
            /** @description Leaves the category and its descendants out of public reads. Defaults to false. */
            hidden?: boolean;
            /** @description Its place among its siblings, from 0; beyond the last, it comes last. `children` are in this order. Until one of them is placed, siblings are sorted by name in the root order of the Unicode Collation Algorithm (as in English: "Äpfel" between "Apes" and "Bears", punctuation and digits before letters, "10" before "9"), equal names by id; a category that is added to placed ones becomes the last. */
            position?: number;
            /** @description Texts of your own systems by key. Keys that are left out stay as they are; null or an empty text removes a key, and null in place of the object removes all. */
            metadata?: {
                [key: string]: string | null;
            } | null;
        };
        CategoryPatch: {
            name?: string;
            slug?: string;
            /** Format: int64 */
            parent_id?: number | null;
            /** @description The texts of all categories (names, slugs, descriptions, images, SEO texts, metadata) have at most 8 MiB together as JSON: a write that exceeds them is 422, unless its own are at most 400 bytes. */
            description?: string | null;
            /**
             * Format: uri
             * @description The `url` of an uploaded image, or any https URL. Stored as an RFC 3986 URI.
             */
            image_url?: string | null;
            seo?: components["schemas"]["Seo"] | null;
            /** @description Leaves the category and its descendants out of public reads. Defaults to false. */
            hidden?: boolean;
            /** @description Its place among its siblings, from 0; beyond the last, it comes last. `children` are in this order. Until one of them is placed, siblings are sorted by name in the root order of the Unicode Collation Algorithm (as in English: "Äpfel" between "Apes" and "Bears", punctuation and digits before letters, "10" before "9"), equal names by id; a category that is added to placed ones becomes the last. */
            position?: number;
            /** @description Texts of your own systems by key. Keys that are left out stay as they are; null or an empty text removes a key, and null in place of the object removes all. */
            metadata?: {
                [key: string]: string | null;
            } | null;
        };
        Sitemap: {
            data: {
                slug: string;
                /**
                 * Format: date-time
                 * @description For `<lastmod>`.
                 */
                updated_at: string;
            }[];
            meta: {
                /** @description Null on the last page. */
                next_cursor: string | null;
            };
        };
        Media: {
            /** @example med_3kTMd9XcB2LhVq0ZrWy7sFgP */
            id: string;
            /**
             * Format: uri
             * @description The image's public URL, for `images` of products. Its content never changes. `?w=` with 160, 320, 640, 960, 1280, 1920 returns a copy of that width as WebP without metadata, or the original if that is no wider.
             * @example https://api.example.com/media/demo/9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            url: string;
            /** @description Pixels, as displayed. At most 50 megapixels in all. */
            width: number;
            height: number;
            bytes: number;
            /** @enum {string} */
            content_type: "image/jpeg" | "image/png" | "image/webp" | "image/avif" | "image/gif";
            /** Format: date-time */
            created_at: string;
            /** @description At most 10 products that show the image. Not in the response to an upload. */
            product_ids?: number[];
        };
        MediaList: {
            data: components["schemas"]["Media"][];
            meta: components["schemas"]["PageMeta"];
        };
        Cart: {
            cart_token: string;
            items: components["schemas"]["CartItem"][];
            /**
             * Format: int64
             * @description The sum of the quantities.
             */
            total_quantity: number;
            totals: components["schemas"]["Totals"];
            currency: string;
            /**
             * @description `ordered`: an order waits for its payment; `paid`: it was paid, and the shopper needs a new cart. Only an open cart can be changed. Cancelling the order opens the cart again.
             * @enum {string}
             */
            status: "open" | "ordered" | "paid";
            /** @description The order of a cart that is not open. */
            order?: {
                id: string;
                /** Format: int64 */
                number: number;
                /** @enum {string} */
                status: "pending" | "paid";
                /**
                 * Format: uri
                 * @description Leads back to paying a pending order. The page shows no contact data to another browser.
                 */
                redirect_url?: string;
            };
            shipping_method: components["schemas"]["ChosenShipping"];
            warnings: {
                /**
                 * @description `shipping_method_changed`: the chosen method does not fit, and the cheapest applies; `shipping_unavailable`: no method delivers to the country; `items_not_merged`, `coupons_not_merged`: what did not fit when the customer's earlier cart was merged into this one, until the next change; `coupons_removed`: codes that were entered and are deleted or used up, until the next change.
                 * @enum {string}
                 */
                code: "price_changed" | "not_enough_stock" | "out_of_stock" | "shipping_method_changed" | "shipping_unavailable" | "items_not_merged" | "coupons_not_merged" | "coupons_removed";
                /**
                 * Format: int64
                 * @description Only in a warning about an item.
                 */
                item_id?: number;
                /**
                 * Format: int64
                 * @description With `not_enough_stock` and `out_of_stock`: the quantity of the item that can be bought.
                 */
                available?: number;
                /** @description With `price_changed`: the item's `unit_price` before. */
                previous_unit_price?: number;
                /** @description With `coupons_not_merged` and `coupons_removed`: the codes. */
                coupons?: string[];
                /** @description English, for developers. May change. */
                message: string;
            }[];
            coupon?: components["schemas"]["CartCoupon"];
            /** @description The codes that were entered, up to 3; `coupon` is the last of them. `applies` is false while the conditions of one are not met, or others that it does not combine with are better: `reason` says which. */
            coupons: components["schemas"]["CartCoupon"][];
            applied_promotions: components["schemas"]["AppliedPromotion"][];
            /** @description Texts that the cart's holder keeps with it. The order gets a copy. */
            metadata: {
                [key: string]: string;
            };
            /** @description The full address with the session of the cart's customer, else only the country. */
            shipping_address?: {
                country: string;
                first_name?: string;
                last_name?: string;
                company?: string;
                line1?: string;
                line2?: string;
                city?: string;
                region?: string;
                postal_code?: string;
                phone?: string;
            };
            email?: string;
        };
        /** @description The chosen method, or the cheapest if none was chosen or the chosen one does not fit. Null if nothing is shipped, or if no method fits. */
        ChosenShipping: {
            id: string;
            name: string;
            /** @description Before tax where prices don't include it: `totals.shipping`. */
            price: number;
        } | null;
        /**
         * @description A code that was entered; `applies` is false while it has no effect on the total.
         * @example {
         *       "code": "WELCOME10",
         *       "applies": false,
         *       "reason": "below_minimum_subtotal",
         *       "minimum_subtotal": 30
         *     }
         */
        CartCoupon: {
            code: string;
            applies: boolean;
            /**
             * @description Why it does not apply, to tell the shopper: as in `coupon_not_applicable`, or `not_combined`, `nothing_to_reduce` or `raises_total` of `GET /v1/cart/{cart_token}/explain`. Absent while it applies.
             * @enum {string}
             */
            reason?: "no_eligible_line" | "below_minimum_subtotal" | "below_minimum_quantity" | "currency" | "not_started" | "ended" | "used_up_by_customer" | "not_first_order" | "not_combined" | "nothing_to_reduce" | "raises_total";
            /** @description With `below_minimum_subtotal`: the value of the goods from which it applies, in the currency of the cart. */
            minimum_subtotal?: number;
            /**
             * Format: int64
             * @description With `below_minimum_quantity`: how many of the goods that it is for must be in the cart.
             */
            minimum_quantity?: number;
        };
        CartCreate: {
            /** @description ISO 4217 */
            currency?: components["schemas"]["Currency"];
            items?: {
                /** Format: int64 */
                product_id?: number;
                /**
                 * Format: int64
                 * @description The variant of a configurable product, in place of `options.variant_id`. It also finds the product.
                 */
                variant_id?: number;
                quantity: number;
                /**
                 * @example {
                 *       "variant_id": 12
                 *     }
                 */
                options?: {
                    [key: string]: unknown;
                };
            }[];
            /** @description Texts of your own systems by key. Keys that are left out stay as they are; null or an empty text removes a key, and null in place of the object removes all. */
            metadata?: {
                [key: string]: string | null;
            } | null;
        };
        CartBatch: {
            operations: ({
                /** @enum {string} */
                op: "add";
                /** Format: int64 */
                product_id?: number;
                /**
                 * Format: int64
                 * @description The variant of a configurable product, in place of `options.variant_id`. It also finds the product.
                 */
                variant_id?: number;
                quantity: number;
                /**
                 * @example {
                 *       "variant_id": 12
                 *     }
                 */
                options?: {
                    [key: string]: unknown;
                };
            } | {
                /** @enum {string} */
                op: "set";
                /** Format: int64 */
                item_id: number;
                quantity: number;
            } | {
                /** @enum {string} */
                op: "remove";
                /** Format: int64 */
                item_id: number;
            } | {
                /** @enum {string} */
                op: "coupon";
                code: string | null;
            } | {
                /** @enum {string} */
                op: "address";
                address: components["schemas"]["PostalAddressInput"];
            } | {
                /** @enum {string} */
                op: "shipping_method";
                /** @example express */
                id: string;
            } | {
                /** @enum {string} */
                op: "metadata";
                /** @description Texts of your own systems by key. Keys that are left out stay as they are; null or an empty text removes a key, and null in place of the object removes all. */
                metadata: {
                    [key: string]: string | null;
                } | null;
            })[];
        };
        PostalAddressInput: {
            country: components["schemas"]["Country"];
            first_name?: string;
            last_name?: string;
            company?: string;
            line1?: string;
            line2?: string;
            city?: string;
            region?: string;
            postal_code?: string;
            phone?: string;
        };
        /**
         * @description ISO 3166-1 alpha-2
         * @example DE
         * @enum {string}
         */
        Country: "AD" | "AE" | "AF" | "AG" | "AI" | "AL" | "AM" | "AO" | "AQ" | "AR" | "AS" | "AT" | "AU" | "AW" | "AX" | "AZ" | "BA" | "BB" | "BD" | "BE" | "BF" | "BG" | "BH" | "BI" | "BJ" | "BL" | "BM" | "BN" | "BO" | "BQ" | "BR" | "BS" | "BT" | "BV" | "BW" | "BY" | "BZ" | "CA" | "CC" | "CD" | "CF" | "CG" | "CH" | "CI" | "CK" | "CL" | "CM" | "CN" | "CO" | "CR" | "CU" | "CV" | "CW" | "CX" | "CY" | "CZ" | "DE" | "DJ" | "DK" | "DM" | "DO" | "DZ" | "EC" | "EE" | "EG" | "EH" | "ER" | "ES" | "ET" | "FI" | "FJ" | "FK" | "FM" | "FO" | "FR" | "GA" | "GB" | "GD" | "GE" | "GF" | "GG" | "GH" | "GI" | "GL" | "GM" | "GN" | "GP" | "GQ" | "GR" | "GS" | "GT" | "GU" | "GW" | "GY" | "HK" | "HM" | "HN" | "HR" | "HT" | "HU" | "ID" | "IE" | "IL" | "IM" | "IN" | "IO" | "IQ" | "IR" | "IS" | "IT" | "JE" | "JM" | "JO" | "JP" | "KE" | "KG" | "KH" | "KI" | "KM" | "KN" | "KP" | "KR" | "KW" | "KY" | "KZ" | "LA" | "LB" | "LC" | "LI" | "LK" | "LR" | "LS" | "LT" | "LU" | "LV" | "LY" | "MA" | "MC" | "MD" | "ME" | "MF" | "MG" | "MH" | "MK" | "ML" | "MM" | "MN" | "MO" | "MP" | "MQ" | "MR" | "MS" | "MT" | "MU" | "MV" | "MW" | "MX" | "MY" | "MZ" | "NA" | "NC" | "NE" | "NF" | "NG" | "NI" | "NL" | "NO" | "NP" | "NR" | "NU" | "NZ" | "OM" | "PA" | "PE" | "PF" | "PG" | "PH" | "PK" | "PL" | "PM" | "PN" | "PR" | "PS" | "PT" | "PW" | "PY" | "QA" | "RE" | "RO" | "RS" | "RU" | "RW" | "SA" | "SB" | "SC" | "SD" | "SE" | "SG" | "SH" | "SI" | "SJ" | "SK" | "SL" | "SM" | "SN" | "SO" | "SR" | "SS" | "ST" | "SV" | "SX" | "SY" | "SZ" | "TC" | "TD" | "TF" | "TG" | "TH" | "TJ" | "TK" | "TL" | "TM" | "TN" | "TO" | "TR" | "TT" | "TV" | "TW" | "TZ" | "UA" | "UG" | "UM" | "US" | "UY" | "UZ" | "VA" | "VC" | "VE" | "VG" | "VI" | "VN" | "VU" | "WF" | "WS" | "YE" | "YT" | "ZA" | "ZM" | "ZW" | (string & Record<never, never>);
        CartHistory: {
            data: {
                /** Format: int64 */
                version: number;
                /** Format: date-time */
                at: string;
                /**
                 * Format: int64
                 * @description The application that made the change.
                 */
                application_id: number | null;
                operations: {
                    /** @enum {string} */
                    op: "create" | "add" | "set" | "remove" | "coupon" | "remove_coupon" | "address" | "shipping_method" | "metadata" | "merge";
                    /** Format: int64 */
                    item_id?: number;
                    /** Format: int64 */
                    product_id?: number;
                    /** Format: int64 */
                    variant_id?: number | null;
                    /** Format: int64 */
                    quantity?: number;
                    code?: string | null;
                    /** @description The shipping method. */
                    id?: string;
                }[];
                /** @description The totals right after the change. */
                totals: components["schemas"]["Totals"];
            }[];
            currency: string;
        };
        TotalsExplanation: {
            currency: string;
            /** @description Determines tax and shipping. */
            country: string | null;
            items: {
                /** Format: int64 */
                item_id: number;
                total: {
                    amount: number;
                    /** @enum {string} */
                    rule: "unit_price_times_quantity";
                    unit_price: number;
                    /** Format: int64 */
                    quantity: number;
                };
                discount: {
                    amount: number;
                    /**
                     * @description `share`: the cart's discount × `weight` ÷ `discount.eligible_subtotal`, by the largest-remainder method; of equal remainders that of the lowest product id is rounded up. `sum_of_shares`: of several promotions.
                     * @enum {string}
                     */
                    rule: "none" | "share" | "sum_of_shares";
                    /** @description The item's total if it is eligible, else 0. 0 where several promotions apply. */
                    weight: number;
                    /** @description The item's part of each promotion: `amount` × `weight` ÷ `eligible`. */
                    shares: {
                        /** Format: int64 */
                        promotion_id: number;
                        amount: number;
                        weight: number;
                    }[];
                };
                tax: {
                    amount: number;
                    /** @enum {string} */
                    rule: "added" | "included";
                    taxable: number;
                    rate_percent: number;
                    tax_class: string | null;
                };
            }[];
            subtotal: {
                amount: number;
                /** @enum {string} */
                rule: "sum_of_item_totals";
            };
            discount: {
                amount: number;
                /**
                 * @description `percent`: `percent` of `eligible_subtotal`; `fixed`: `fixed`, at most `eligible_subtotal`; `sum_of_promotions`, `buy_x_get_y`: see `promotions`; `not_applicable`: see `reason`.
                 * @enum {string}
                 */
                rule: "none" | "percent" | "fixed" | "free_shipping" | "buy_x_get_y" | "sum_of_promotions" | "not_applicable";
                code: string | null;
                percent: number | null;
                fixed: number | null;
                eligible_subtotal: number | null;
                minimum_subtotal: number | null;
                /** @enum {string|null} */
                reason: "no_eligible_line" | "below_minimum_subtotal" | "below_minimum_quantity" | "currency" | "not_started" | "ended" | "used_up_by_customer" | "not_first_order" | "not_combined" | "nothing_to_reduce" | "raises_total" | null;
            };
            /** @description Promotions that apply come first, in their order, then those that do not. All promotions that combine apply together, or the one that does not combine if the grand total is lower with it; beside none that combine, unless it is higher. */
            promotions: {
                /** Format: int64 */
                id: number;
                name: string;
                code: string | null;
                amount: number;
                /**
                 * @description `percent`: `percent` of `eligible`; `fixed`: `fixed`, at most `eligible`; `buy_x_get_y`: `percent` of `eligible`, the cheapest `get` of each `buy` + `get` units from the dearest down; `not_applicable`: see `reason`.
                 * @enum {string}
                 */
                rule: "percent" | "fixed" | "free_shipping" | "buy_x_get_y" | "not_applicable";
                /** Format: int64 */
                priority: number;
                combinable: boolean;
                percent: number | null;
                fixed: number | null;
                /** Format: int64 */
                buy: number | null;
                /** Format: int64 */
                get: number | null;
                /** @description The amount of the eligible goods that earlier promotions have not yet deducted. */
                eligible: number | null;
                minimum_subtotal: number | null;
                /** Format: int64 */
                minimum_quantity: number | null;
                /**
                 * @description Such as `below_minimum_subtotal`, `not_started`, `not_combined`: others that it does not combine with are better for the shopper or apply before it, `nothing_to_reduce`: it takes nothing off, as of free goods, or `raises_total`: it would cost the shopper more than it takes off, such as free shipping.
                 * @enum {string|null}
                 */
                reason: "no_eligible_line" | "below_minimum_subtotal" | "below_minimum_quantity" | "currency" | "not_started" | "ended" | "used_up_by_customer" | "not_first_order" | "not_combined" | "nothing_to_reduce" | "raises_total" | null;
            }[];
            subtotal_after_discount: {
                amount: number;
                /** @enum {string} */
                rule: "subtotal_less_discount";
            };
            shipping: {
                amount: number;
                /**
                 * @description `no_method`: no method delivers to the country; `flat_rate`: `flat_rate` is charged; `subtotal_tier`, `weight_tier`: the price of `tier`.
                 * @enum {string}
                 */
                rule: "nothing_shipped" | "no_method" | "free_shipping_coupon" | "free_shipping_promotion" | "free_over" | "flat_rate" | "subtotal_tier" | "weight_tier";
                /** @description The chosen method, or else the cheapest. Null if nothing is shipped, or if none fits. */
                method: {
                    id: string;
                    name: string;
                } | null;
                /** @description The method's price before `free_over` and coupons. */
                flat_rate: number;
                /** @description Shipping is free from this `subtotal_after_discount` on. */
                free_over: number | null;
                /** @description The last tier of the method that `subtotal_after_discount` or `weight` reaches; null for a method with one price. */
                tier: {
                    from_subtotal: number | null;
                    /** Format: int64 */
                    from_weight: number | null;
                    price: number;
                } | null;
                /**
                 * Format: int64
                 * @description Grams of the items that are shipped.
                 */
                weight: number;
            };
            tax: {
                amount: number;
                /** @enum {string} */
                rule: "sum_of_item_taxes_and_shipping_tax";
                shipping_tax: {
                    amount: number;
                    /** @enum {string} */
                    rule: "added" | "included";
                    taxable: number;
                    rate_percent: number;
                };
            };
            grand_total: {
                amount: number;
                /**
                 * @description `goods_and_shipping` where prices include tax; goods are `subtotal_after_discount`.
                 * @enum {string}
                 */
                rule: "goods_and_shipping_and_tax" | "goods_and_shipping";
            };
        };
        CartItemAdd: {
            /** Format: int64 */
            product_id?: number;
            /**
             * Format: int64
             * @description The variant of a configurable product, in place of `options.variant_id`. It also finds the product.
             */
            variant_id?: number;
            quantity: number;
            /**
             * @example {
             *       "variant_id": 12
             *     }
             */
            options?: {
                [key: string]: unknown;
            };
            /** @example ct_… */
            cart_token?: string | null;
        };
        CartItemPatch: {
            /** @example ct_… */
            cart_token: string;
            quantity: number;
        };
        CartCouponApply: {
            code: string;
        };
        ShippingMethodList: {
            data: components["schemas"]["ShippingMethod"][];
        };
        ShippingMethod: {
            /** @example express */
            id: string;
            name: string;
            description: string | null;
            price: number;
            /**
             * Format: int64
             * @description The delivery time in days.
             */
            min_days: number | null;
            /** Format: int64 */
            max_days: number | null;
            /** @description Whether it applies: it was chosen, or it is the cheapest and no fitting one was chosen. */
            selected: boolean;
        };
        CartShippingMethodChoice: {
            /** @example express */
            id: string;
        };
        PromotionList: {
            data: components["schemas"]["Promotion"][];
            meta: components["schemas"]["PageMeta"];
        };
        Promotion: {
            /** Format: int64 */
            id: number;
            name: string;
            /**
             * @description `automatic`: applies to every cart that meets the conditions; `code`: to carts with the code.
             * @enum {string}
             */
            trigger: "automatic" | "code";
            code: string | null;
            conditions: {
                /** @description A number, which applies in every currency, or an object keyed by currency. */
                minimum_subtotal: number | {
                    [key: string]: number;
                } | null;
                /** Format: int64 */
                minimum_quantity: number | null;
                product_ids: number[];
                category_ids: number[];
                first_order: boolean;
            };
            effect: components["schemas"]["PromotionEffect"];
            /** Format: int64 */
            priority: number;
            combinable: boolean;
            /** Format: date-time */
            starts_at: string | null;
            /** Format: date-time */
            ends_at: string | null;
            /** Format: int64 */
            max_uses: number | null;
            /** Format: int64 */
            max_uses_per_customer: number | null;
            active: boolean;
            /**
             * Format: int64
             * @description The orders that have redeemed it, without cancelled ones.
             */
            uses: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        /** @description `percent` and `fixed` reduce the eligible goods, `fixed` at most to 0. `buy_x_get_y` lines up the eligible units from the dearest to the cheapest, cuts them into sets of `buy` + `get`, and reduces the cheapest `get` of each set by `percent_off`; in a last incomplete set, the units beyond `buy`. */
        PromotionEffect: {
            /** @enum {string} */
            kind: "percent";
            /** @description A percentage above 0 and up to 100. */
            value: number;
        } | {
            /** @enum {string} */
            kind: "fixed";
            /** @description A number, which applies in every currency, or an object keyed by currency. */
            value: number | {
                [key: string]: number;
            };
        } | {
            /** @enum {string} */
            kind: "free_shipping";
        } | {
            /** @enum {string} */
            kind: "buy_x_get_y";
            buy: number;
            get: number;
            /** @description A percentage above 0 and up to 100. */
            percent_off: number;
        };
        PromotionProducts: {
            data: {
                /** Format: int64 */
                id: number;
                name: string;
                sku: string;
            }[];
        };
        PromotionCreate: {
            /**
             * @description What shoppers see.
             * @example Summer sale
             */
            name: string;
            /**
             * @description `automatic`: applies to every cart that meets the conditions; `code`: to carts with the code.
             * @enum {string}
             */
            trigger: "automatic" | "code";
            /**
             * @description Required for the trigger `code`, and only then. Without case and accents.
             * @example SUMMER-10
             */
            code?: string | null;
            conditions?: {
                /** @description The least subtotal of the whole cart, before any discount. */
                minimum_subtotal?: number | {
                    [key: string]: number;
                } | null;
                /** @description The least number of eligible units. */
                minimum_quantity?: number | null;
                /** @description A group can not be named: its members are the items of a cart. */
                product_ids?: number[] | null;
                /** @description Includes descendants. Without products and categories, every line item is eligible. */
                category_ids?: number[] | null;
                /** @description Only for a shopper without a paid order, and once. Guests are known by their e-mail address when they place the order. */
                first_order?: boolean;
            };
            effect: components["schemas"]["PromotionEffect"];
            /**
             * @description The lowest number applies first, to the full price; ties by id.
             * @default 100
             */
            priority?: number;
            /**
             * @description Whether it applies together with other promotions that combine.
             * @default false
             */
            combinable?: boolean;
            /** Format: date-time */
            starts_at?: string | null;
            /** Format: date-time */
            ends_at?: string | null;
            max_uses?: number | null;
            max_uses_per_customer?: number | null;
            /** @default true */
            active?: boolean;
        };
        PromotionPatch: {
            /**
             * @description What shoppers see.
             * @example Summer sale
             */
            name?: string;
            /**
             * @description `automatic`: applies to every cart that meets the conditions; `code`: to carts with the code.
             * @enum {string}
             */
            trigger?: "automatic" | "code";
            /**
             * @description Required for the trigger `code`, and only then. Without case and accents.
             * @example SUMMER-10
             */
            code?: string | null;
            conditions?: {
                /** @description The least subtotal of the whole cart, before any discount. */
                minimum_subtotal?: number | {
                    [key: string]: number;
                } | null;
                /** @description The least number of eligible units. */
                minimum_quantity?: number | null;
                /** @description A group can not be named: its members are the items of a cart. */
                product_ids?: number[] | null;
                /** @description Includes descendants. Without products and categories, every line item is eligible. */
                category_ids?: number[] | null;
                /** @description Only for a shopper without a paid order, and once. Guests are known by their e-mail address when they place the order. */
                first_order?: boolean;
            };
            effect?: components["schemas"]["PromotionEffect"];
            priority?: number;
            combinable?: boolean;
            /** Format: date-time */
            starts_at?: string | null;
            /** Format: date-time */
            ends_at?: string | null;
            max_uses?: number | null;
            max_uses_per_customer?: number | null;
            active?: boolean;
        };
        CouponList: {
            data: components["schemas"]["Coupon"][];
            meta: components["schemas"]["PageMeta"];
        };
        Coupon: {
            /** Format: int64 */
            id: number;
            code: string;
            /** @enum {string} */
            kind: "percent" | "fixed" | "free_shipping";
            /** @description A number, which applies in every currency, or an object keyed by currency. */
            value: number | {
                [key: string]: number;
            };
            /** @description A number, which applies in every currency, or an object keyed by currency. */
            minimum_subtotal: number | {
                [key: string]: number;
            } | null;
            /** Format: date-time */
            starts_at: string | null;
            /** Format: date-time */
            ends_at: string | null;
            /** Format: int64 */
            max_uses: number | null;
            /** Format: int64 */
            max_uses_per_customer: number | null;
            product_ids: number[];
            category_ids: number[];
            /**
             * Format: int64
             * @description The orders that have redeemed it, without cancelled ones.
             */
            uses: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        CouponCreate: {
            /** @example SUMMER-10 */
            code: string;
            /** @enum {string} */
            kind: "percent" | "fixed" | "free_shipping";
            /**
             * @description A percentage or an amount; must be 0 or omitted for `free_shipping`.
             * @default 0
             */
            value?: number | {
                [key: string]: number;
            };
            /** @description A number, which applies in every currency, or an object keyed by currency. */
            minimum_subtotal?: number | {
                [key: string]: number;
            } | null;
            /** Format: date-time */
            starts_at?: string | null;
            /** Format: date-time */
            ends_at?: string | null;
            max_uses?: number | null;
            max_uses_per_customer?: number | null;
            /** @description A group can not be named: its members are the items of a cart. */
            product_ids?: number[] | null;
            /** @description Includes descendants. Without products and categories, every line item is eligible. */
            category_ids?: number[] | null;
        };
        CouponPatch: {
            /** @example SUMMER-10 */
            code?: string;
            /** @enum {string} */
            kind?: "percent" | "fixed" | "free_shipping";
            /** @description A number, which applies in every currency, or an object keyed by currency. */
            value?: number | {
                [key: string]: number;
            };
            /** @description A number, which applies in every currency, or an object keyed by currency. */
            minimum_subtotal?: number | {
                [key: string]: number;
            } | null;
            /** Format: date-time */
            starts_at?: string | null;
            /** Format: date-time */
            ends_at?: string | null;
            max_uses?: number | null;
            max_uses_per_customer?: number | null;
            /** @description A group can not be named: its members are the items of a cart. */
            product_ids?: number[] | null;
            /** @description Includes descendants. Without products and categories, every line item is eligible. */
            category_ids?: number[] | null;
        };
        Adjusted: {
            data: {
                sku: string;
                /** Format: int64 */
                product_id: number;
                /** Format: int64 */
                variant_id: number | null;
                /** Format: int64 */
                stock: number;
            }[];
        };
        AdjustmentsCreate: {
            items: ({
                sku: string;
                delta?: number;
                stock?: number;
                /** @default adjustment */
                reason?: string;
            } & (unknown | unknown))[];
        };
        LowStock: {
            data: {
                /** Format: int64 */
                product_id: number;
                /** Format: int64 */
                variant_id: number | null;
                sku: string;
                /** @description The product's name. */
                name: string;
                /**
                 * Format: int64
                 * @description Available; negative for what is sold on backorder.
                 */
                stock: number;
            }[];
            meta: {
                /** @description Null on the last page. */
                next_cursor: string | null;
            };
        };
        PictureUses: {
            data: {
                /** Format: int64 */
                id: number;
                name: string;
                /** @description Whether it is one of `images`; else only variants of the product or its `seo.og_image` show it. */
                in_images: boolean;
                /** @description Its alternative text in this product. */
                alt: string | null;
            }[];
        };
        ImportStarted: {
            /** @example imp_3kTMd9XcB2LhVq0ZrWy7sFgP */
            id: string;
        };
        ImportList: {
            data: components["schemas"]["ImportItem"][];
            meta: components["schemas"]["PageMeta"];
        };
        ImportItem: {
            id: string;
            /** @enum {string} */
            status: "queued" | "running" | "done" | "failed" | "cancelled";
            /** @description Whether the file was only checked. */
            dry_run: boolean;
            /**
             * Format: int64
             * @description Rows of the file below its header.
             */
            rows: number;
            /**
             * Format: int64
             * @description Rows processed so far.
             */
            processed: number;
            /**
             * Format: int64
             * @description Products created.
             */
            created: number;
            /**
             * Format: int64
             * @description Products updated.
             */
            updated: number;
            /**
             * Format: int64
             * @description Products that were already equal.
             */
            unchanged: number;
            /**
             * Format: int64
             * @description Lines with an error.
             */
            failed: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        Import: {
            id: string;
            /** @enum {string} */
            status: "queued" | "running" | "done" | "failed" | "cancelled";
            /** @description Whether the file was only checked. */
            dry_run: boolean;
            /**
             * Format: int64
             * @description Rows of the file below its header.
             */
            rows: number;
            /**
             * Format: int64
             * @description Rows processed so far.
             */
            processed: number;
            /**
             * Format: int64
             * @description Products created.
             */
            created: number;
            /**
             * Format: int64
             * @description Products updated.
             */
            updated: number;
            /**
             * Format: int64
             * @description Products that were already equal.
             */
            unchanged: number;
            /**
             * Format: int64
             * @description Lines with an error.
             */
            failed: number;
            /** @description The first 100 lines with an error. `GET /v1/imports/{id}/errors` has more. */
            errors: components["schemas"]["ImportError"][];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        ImportError: {
            /**
             * Format: int64
             * @description Counted from 1, the header included, as in a text editor: a cell with line breaks takes several lines, but one row of a spreadsheet.
             */
            line: number;
            /** @description The line's SKU; null if it has none. */
            sku: string | null;
            /** @description The columns that are wrong, as the file names them; null for the whole line. */
            field: string | null;
            message: string;
        };
        ImportErrors: {
            data: components["schemas"]["ImportError"][];
            /**
             * Format: int64
             * @description The `after` of the next page; null at the end.
             */
            next_after: number | null;
        };
        ProductExport: {
            columns: string[];
            /** @description The lines, with a cell for each column. */
            rows: string[][];
            /**
             * Format: int64
             * @description The `after` of the next page; null at the end.
             */
            next_after: number | null;
        };
        Feed: {
            data: components["schemas"]["MarketplaceProduct"][];
            meta: {
                /** Format: int64 */
                page: number;
                /** Format: int64 */
                limit: number;
                /** Format: int64 */
                total: number;
                /** Format: int64 */
                total_pages: number;
                /** @description The `cursor` of the next page, to use in place of `page`; null at the end. */
                next_cursor: string | null;
                /**
                 * Format: date-time
                 * @description Pass it as `updated_since`, with page 1, for the next changes.
                 */
                next_updated_since: string | null;
            };
        };
        MarketplaceProduct: {
            /**
             * Format: int64
             * @description Id of the product or variant; products and variants share one id space.
             */
            id: number;
            /** Format: int64 */
            product_id: number;
            sku: string;
            name: string;
            /** @description As lists have it. A cart adds the chosen files of a download, and charges the chosen members of a bundle instead. */
            price: number;
            currency: string;
            /** Format: int64 */
            stock: number;
            /** @description Whether it can be bought. `stock` may be 0 then: of what is sold without stock, as downloads are and what has the `inventory_policy` `continue` or `untracked`. */
            in_stock: boolean;
            images: string[];
            barcode?: string;
            /**
             * @description The path of the first category. A category that is renamed, moved or deleted changes it without a change of the item.
             * @example Apparel > Tops > Shirts
             */
            category_path?: string;
            /** Format: date-time */
            updated_at: string;
        };
        ProductFeedList: {
            data: components["schemas"]["ProductFeed"][];
        };
        ProductFeed: {
            /** @example feed_9sKc2VtY4mXqLw7ZbR3nHd5P */
            id: string;
            /**
             * Format: uri
             * @description The signed address of the file. Whoever has it can read the file until the feed is deleted.
             */
            url: string;
            /**
             * @description `xml`: RSS 2.0 with the namespace `g`. `csv`: RFC 4180, with a header. `jsonl`: JSON Lines.
             * @enum {string}
             */
            format: "xml" | "csv" | "jsonl";
            /** Format: date-time */
            created_at: string;
        };
        ProductFeedCreate: {
            /**
             * @description `xml`: RSS 2.0 with the namespace `g`. `csv`: RFC 4180, with a header. `jsonl`: JSON Lines.
             * @enum {string}
             */
            format: "xml" | "csv" | "jsonl";
        };
        FeedProblemList: {
            data: components["schemas"]["FeedProblem"][];
            meta: {
                /** @description The `cursor` that continues the list, null at its end. A call looks at 5,000 SKUs at most, so that it can have fewer entries than `limit` before the end, or none. */
                next_cursor: string | null;
            };
        };
        FeedProblem: {
            /** Format: int64 */
            product_id: number;
            /** Format: int64 */
            variant_id: number | null;
            sku: string;
            name: string;
            problems: {
                /**
                 * @description Google's name of the attribute.
                 * @enum {string}
                 */
                attribute: "id" | "title" | "description" | "link" | "image_link" | "additional_image_link" | "availability" | "price" | "sale_price" | "sale_price_effective_date" | "brand" | "gtin" | "mpn" | "identifier_exists" | "item_group_id" | "color" | "size" | "product_type" | "shipping_weight" | "type";
                reason: string;
            }[];
        };
        FeedPreview: {
            data: {
                /** Format: int64 */
                product_id: number;
                /** Format: int64 */
                variant_id: number | null;
                sku: string;
                /** @description The item's attributes by Google's names, as the file has them. */
                item: {
                    [key: string]: string | string[];
                };
            }[];
        };
        CustomerSession: {
            /** @description Shown once; only its hash is stored. */
            token: string;
            customer: components["schemas"]["Customer"];
            /** @description The cart that was passed, else the customer's cart. Null when there is none, or it is expired or paid. */
            cart_token: string | null;
        };
        Customer: {
            /** Format: int64 */
            id: number;
            name: string;
            /** Format: email */
            email: string;
            /** @description Absent when unknown. */
            phone?: string;
            /** Format: date-time */
            created_at: string;
        };
        CustomerRegister: {
            /** @example Ada Lovelace */
            name: string;
            /**
             * Format: email
             * @example ada@example.com
             */
            email: string;
            /** Format: password */
            password: string;
            /** @example +44 20 7946 0000 */
            phone?: string;
            /** @description The cart to assign to the customer. */
            cart_token?: string | null;
        };
        CustomerLogin: {
            /**
             * Format: email
             * @example ada@example.com
             */
            email: string;
            /** Format: password */
            password: string;
            /** @description The cart to assign to the customer. */
            cart_token?: string | null;
        };
        CustomerLoggedOut: {
            /** @enum {boolean} */
            logged_out: true;
        };
        CustomerPatch: {
            /** @example Ada Lovelace */
            name?: string;
            /**
             * Format: email
             * @example ada@example.com
             */
            email?: string;
            /** @example +44 20 7946 0000 */
            phone?: string | null;
            /** Format: password */
            password?: string;
            /** Format: password */
            current_password?: string;
        };
        CustomerCart: {
            cart_token: string;
        };
        PasswordReset: {
            /** @description Valid once. Shown once; only its hash is stored. */
            token: string;
            /** Format: date-time */
            expires_at: string;
            customer: components["schemas"]["Customer"];
        };
        PasswordResetRequest: {
            /**
             * Format: email
             * @example ada@example.com
             */
            email: string;
        };
        NewPassword: {
            /** Format: password */
            password: string;
            /** @description The cart to assign to the customer. */
            cart_token?: string | null;
        };
        CustomerAddressList: {
            data: components["schemas"]["CustomerAddress"][];
        };
        /** @description Fields that were not given are absent. */
        CustomerAddress: {
            id: string;
            label?: string;
            /** @description True for exactly one of the addresses of a customer. */
            is_default: boolean;
            country: string;
            first_name?: string;
            last_name?: string;
            company?: string;
            line1?: string;
            line2?: string;
            city?: string;
            region?: string;
            postal_code?: string;
            phone?: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        CustomerAddressCreate: {
            country: components["schemas"]["Country"];
            first_name?: string;
            last_name?: string;
            company?: string;
            line1?: string;
            line2?: string;
            city?: string;
            region?: string;
            postal_code?: string;
            phone?: string;
            /** @example Home */
            label?: string;
            /** @description Makes it the default in place of the current one. The first address is the default. */
            is_default?: boolean;
        };
        CustomerAddressPatch: {
            country?: components["schemas"]["Country"];
            first_name?: string | null;
            last_name?: string | null;
            company?: string | null;
            line1?: string | null;
            line2?: string | null;
            city?: string | null;
            region?: string | null;
            postal_code?: string | null;
            phone?: string | null;
            /** @example Home */
            label?: string | null;
            /** @description False is refused for the default: make another address the default instead. */
            is_default?: boolean;
        };
        CustomerList: {
            data: components["schemas"]["CustomerRecord"][];
            meta: {
                /** Format: int64 */
                page: number;
                /** Format: int64 */
                limit: number;
                /** Format: int64 */
                total: number;
                /** Format: int64 */
                total_pages: number;
                /** @description The `cursor` of the next page, to use in place of `page`; null at the end. */
                next_cursor: string | null;
                /**
                 * Format: date-time
                 * @description On the last page of a list with `updated_since` in the order `updated`: pass it as `updated_since` for the next changes. Else null.
                 */
                next_updated_since: string | null;
            };
        };
        CustomerRecord: {
            /** Format: int64 */
            id: number;
            name: string;
            /** Format: email */
            email: string;
            /** @description Absent when unknown. */
            phone?: string;
            /** Format: date-time */
            created_at: string;
            metadata: {
                [key: string]: string;
            };
            /** Format: date-time */
            updated_at: string;
        };
        CustomerRecordPatch: {
            /** @example Ada Lovelace */
            name?: string;
            /** @example +44 20 7946 0000 */
            phone?: string | null;
            /** @description Texts of your own systems by key. Keys that are left out stay as they are; null or an empty text removes a key, and null in place of the object removes all. */
            metadata?: {
                [key: string]: string | null;
            } | null;
        };
        CartOfCustomerList: {
            data: components["schemas"]["CartOfCustomer"][];
        };
        CartOfCustomer: {
            items: components["schemas"]["CartItem"][];
            /**
             * Format: int64
             * @description The sum of the quantities.
             */
            total_quantity: number;
            totals: components["schemas"]["Totals"];
            currency: string;
            /** @description The codes that were entered, up to 3; `coupon` is the last of them. `applies` is false while the conditions of one are not met, or others that it does not combine with are better: `reason` says which. */
            coupons: components["schemas"]["CartCoupon"][];
            applied_promotions: components["schemas"]["AppliedPromotion"][];
            /** @description Identifies the cart; it does not give access to it. */
            id: string;
            /**
             * Format: date-time
             * @description The last change.
             */
            updated_at: string;
        };
        CustomerExport: {
            /** Format: date-time */
            exported_at: string;
            customer: components["schemas"]["CustomerRecord"];
            addresses: components["schemas"]["CustomerAddress"][];
            /** @description Open sessions. A session expires 30 days after its last use. */
            sessions: {
                /** Format: date-time */
                created_at: string;
                /** Format: date-time */
                expires_at: string;
            }[];
            password_resets: {
                /** Format: date-time */
                expires_at: string;
            }[];
            /** @description The carts that belong to the customer. */
            carts: {
                cart_token: string;
                items: components["schemas"]["CartItem"][];
                /**
                 * Format: int64
                 * @description The sum of the quantities.
                 */
                total_quantity: number;
                totals: components["schemas"]["Totals"];
                currency: string;
                /**
                 * @description `ordered`: an order waits for its payment; `paid`: it was paid, and the shopper needs a new cart. Only an open cart can be changed. Cancelling the order opens the cart again.
                 * @enum {string}
                 */
                status: "open" | "ordered" | "paid";
                /** @description The order of a cart that is not open. */
                order?: {
                    id: string;
                    /** Format: int64 */
                    number: number;
                    /** @enum {string} */
                    status: "pending" | "paid";
                    /**
                     * Format: uri
                     * @description Leads back to paying a pending order. The page shows no contact data to another browser.
                     */
                    redirect_url?: string;
                };
                shipping_method: components["schemas"]["ChosenShipping"];
                warnings: {
                    /**
                     * @description `shipping_method_changed`: the chosen method does not fit, and the cheapest applies; `shipping_unavailable`: no method delivers to the country; `items_not_merged`, `coupons_not_merged`: what did not fit when the customer's earlier cart was merged into this one, until the next change; `coupons_removed`: codes that were entered and are deleted or used up, until the next change.
                     * @enum {string}
                     */
                    code: "price_changed" | "not_enough_stock" | "out_of_stock" | "shipping_method_changed" | "shipping_unavailable" | "items_not_merged" | "coupons_not_merged" | "coupons_removed";
                    /**
                     * Format: int64
                     * @description Only in a warning about an item.
                     */
                    item_id?: number;
                    /**
                     * Format: int64
                     * @description With `not_enough_stock` and `out_of_stock`: the quantity of the item that can be bought.
                     */
                    available?: number;
                    /** @description With `price_changed`: the item's `unit_price` before. */
                    previous_unit_price?: number;
                    /** @description With `coupons_not_merged` and `coupons_removed`: the codes. */
                    coupons?: string[];
                    /** @description English, for developers. May change. */
                    message: string;
                }[];
                coupon?: components["schemas"]["CartCoupon"];
                /** @description The codes that were entered, up to 3; `coupon` is the last of them. `applies` is false while the conditions of one are not met, or others that it does not combine with are better: `reason` says which. */
                coupons: components["schemas"]["CartCoupon"][];
                applied_promotions: components["schemas"]["AppliedPromotion"][];
                /** @description Texts that the cart's holder keeps with it. The order gets a copy. */
                metadata: {
                    [key: string]: string;
                };
                /** @description The full address with the session of the cart's customer, else only the country. */
                shipping_address?: {
                    country: string;
                    first_name?: string;
                    last_name?: string;
                    company?: string;
                    line1?: string;
                    line2?: string;
                    city?: string;
                    region?: string;
                    postal_code?: string;
                    phone?: string;
                };
                email?: string;
                /** Format: date-time */
                updated_at: string;
            }[];
            /** @description Checkout sessions, newest first. */
            checkouts: {
                order_id: string;
                /** @enum {string} */
                status: "open" | "void" | "ordered";
                /** @description What was entered on the page. */
                buyer: {
                    [key: string]: string;
                };
                /** Format: date-time */
                created_at: string;
                /** Format: date-time */
                expires_at: string;
            }[];
            /** @description Newest first. */
            orders: components["schemas"]["Order"][];
            /** @description What happened to the orders, newest first, with the shop's notes. */
            timeline: {
                /** Format: date-time */
                at: string;
                /**
                 * @description `edited`: the order or one of its fulfilments was changed; `details` names what.
                 * @enum {string}
                 */
                type: "placed" | "paid" | "refunded" | "fulfilled" | "cancelled" | "edited" | "noted";
                /** @description `system`: the service itself, such as when a deadline passes. */
                by: {
                    /** @enum {string} */
                    kind: "shopper" | "application" | "panel" | "provider" | "system";
                    /** @description The id of the application, the customer or the panel's user, or the payment provider's name. */
                    id?: string;
                };
                /** @description By type. `paid`: `provider`. `refunded`: `refund_id`, `amount`, `currency`, `source`. `fulfilled`: `fulfilment_id`, `items`. `cancelled`: `cancel_reason`. `edited`: `changed`, the names of the changed fields; of a fulfilment also `fulfilment_id` and its `status`. `noted`: `text`, until the customer is erased. */
                details: {
                    [key: string]: unknown;
                };
                order_id: string;
            }[];
            redemptions: {
                order_id: string;
                /** Format: int64 */
                promotion_id: number;
            }[];
            /** @description Events of the last 30 days that name the customer, newest first. */
            events: {
                id: string;
                type: string;
                /** Format: date-time */
                occurred_at: string;
                data: {
                    [key: string]: unknown;
                };
            }[];
            /** @description The lists that have more than 5,000 entries and end there. */
            incomplete: string[];
        };
        Seamless: {
            /**
             * Format: uri
             * @description Valid for one order and for 15 to 30 minutes.
             */
            redirect_url: string;
        };
        SeamlessCreate: {
            /** @example ct_… */
            cart_token: string;
            /**
             * Format: uri
             * @description An https URL on one of `settings.checkout.allowed_hosts` or on an origin of an application; an app has a universal link (iOS) or an app link (Android) there. The hosted checkout adds `order_id`, `order_number`, `status`, `ts` (Unix seconds) and `signature`: the hex HMAC-SHA-256 of `order_id.order_number.status.ts` with `checkout_secret` as the key. What has no secret, such as an app, reads `status` of the cart instead, also if the shopper never comes back.
             * @example https://shop.example.com/thanks
             */
            return_url: string;
            /**
             * Format: uri
             * @description Default: `return_url`.
             * @example https://shop.example.com/thanks
             */
            cancel_url?: string;
        };
        CheckoutSession: {
            id: string;
            /**
             * @description `ended`: no order can be placed, because the session expired, the cart was edited, or a newer session was created.
             * @enum {string}
             */
            status: "open" | "ordered" | "ended";
            items: {
                /** Format: int64 */
                id: number;
                /** Format: int64 */
                product_id: number;
                /** Format: int64 */
                variant_id: number | null;
                sku: string;
                name: string;
                options: {
                    [key: string]: unknown;
                };
                /** Format: int64 */
                quantity: number;
                unit_price: number;
                /** @description Unit price times quantity, before discount. */
                total: number;
                /** @description The item's part of each promotion that reduces it. */
                discounts: {
                    /** Format: int64 */
                    promotion_id: number;
                    amount: number;
                }[];
            }[];
            totals: components["schemas"]["Totals"];
            currency: string;
            /** @description The first code of `applied_promotions`. */
            coupon: string | null;
            applied_promotions: components["schemas"]["AppliedPromotion"][];
            shipping_method: components["schemas"]["ChosenShipping"];
            /** @description The methods that fit the session's country; empty if nothing is shipped, and once the order is placed. */
            shipping_methods: components["schemas"]["ShippingMethod"][];
            customer: {
                /** Format: int64 */
                id: number | null;
                email: string | null;
            };
            shipping_address: {
                country: string;
                first_name?: string;
                last_name?: string;
                company?: string;
                line1?: string;
                line2?: string;
                city?: string;
                region?: string;
                postal_code?: string;
                phone?: string;
            } | null;
            /** Format: uri */
            return_url: string;
            /** Format: uri */
            cancel_url: string | null;
            order_id: string | null;
            /** Format: date-time */
            expires_at: string;
        };
        OrderCreate: {
            /** @description The `session` claim of the JWS, or the last path segment of the redirect URL. */
            session: string;
            customer?: {
                name?: string;
                /** Format: email */
                email?: string;
                phone?: string;
            };
            /** @description Its country determines tax and shipping. Default: the cart's address. For a customer's cart, only its country is used unless that customer's session prepared the checkout. */
            shipping_address?: components["schemas"]["PostalAddressInput"];
            /** @description The id of one of the session's `shipping_methods`. Default: the cart's method or, where that does not fit the address, the cheapest. */
            shipping_method?: string;
            /** @description Default: the shipping address. */
            billing_address?: components["schemas"]["PostalAddressInput"];
            /** @description The shopper's message to the shop. */
            note?: string;
        };
        PaymentReport: {
            /** @enum {string} */
            status: "paid" | "failed" | "refunded";
            /** @description The payment provider's id of the payment. Repeating a report changes nothing. */
            reference: string;
            /**
             * @description Only with `refunded`: a part of the payment, which cancels nothing. Without it, all that is left was refunded.
             * @example 4.5
             */
            amount?: number;
            /** @description The payment provider's id of this refund, required with `amount`. Repeating a report with it changes nothing. */
            refund_reference?: string;
        };
        RefundCreate: {
            /** @description Units to refund at what was paid for them: the line after its discount, with its tax. Refunds of all units add up to exactly that. */
            items?: {
                /** @description The `id` of one of the order's `items`. */
                line_id: number;
                quantity: number;
                /**
                 * @description Whether the units go back to stock, at once and even if the refund fails. Units of a failed refund that did not go back are sold again.
                 * @default false
                 */
                restock?: boolean;
                /**
                 * @description Whether the units had been shipped, such as a return: what is left to ship stays as it is. Without it, units that are still to be shipped are taken first.
                 * @default false
                 */
                shipped?: boolean;
            }[];
            /** @description Whether to refund what is left of shipping, with its tax. */
            shipping?: boolean;
            /**
             * @description A further amount, such as goodwill.
             * @example 5
             */
            amount?: number;
            /** @description For the shop itself; the customer does not see it. */
            reason?: string;
        };
        OrderList: {
            data: components["schemas"]["Order"][];
            meta: {
                /** Format: int64 */
                page: number;
                /** Format: int64 */
                limit: number;
                /** Format: int64 */
                total: number;
                /** Format: int64 */
                total_pages: number;
                /** @description The `cursor` of the next page, to use in place of `page`; null at the end. */
                next_cursor: string | null;
                /**
                 * Format: date-time
                 * @description On the last page of a list with `updated_since` in the order `updated`: pass it as `updated_since` for the next changes. Else null.
                 */
                next_updated_since: string | null;
            };
        };
        RefundList: {
            data: components["schemas"]["Refund"][];
        };
        OrderPatch: {
            /** @description Texts of your own systems by key. Keys that are left out stay as they are; null or an empty text removes a key, and null in place of the object removes all. */
            metadata?: {
                [key: string]: string | null;
            } | null;
            /** @description Replaces the tags; the same tag counts once. */
            tags?: string[];
            /** @description Archives the order, or opens it again. */
            archived?: boolean;
        };
        CustomerOrderList: {
            data: components["schemas"]["CustomerOrder"][];
            meta: components["schemas"]["PageMeta"];
        };
        CustomerOrder: {
            /** @example ord_5Wd0XjvKq2TzNhLr8ePaYc1M */
            id: string;
            /**
             * Format: int64
             * @description Sequential for each tenant, from 1001, without gaps.
             */
            number: number;
            /** @enum {string} */
            status: "pending" | "paid" | "cancelled";
            /**
             * @description A cancelled order counts what is in `refund_due`, a paid one does not.
             * @enum {string}
             */
            payment_status: "unpaid" | "paid" | "partially_refunded" | "refunded";
            /**
             * @description How much of the goods is in fulfilments. An order without goods to ship is `fulfilled` once it is paid.
             * @enum {string}
             */
            fulfilment_status: "unfulfilled" | "partially_fulfilled" | "fulfilled";
            /** @description Whether the payment is a test: the sandbox, or a Stripe test key. */
            test: boolean;
            items: components["schemas"]["OrderItem"][];
            totals: components["schemas"]["Totals"];
            /** @description The tax by rate, for invoices: the highest first, 0 included. `net` and `tax` add up to `totals.grand_total`, `tax` to `totals.tax`. Empty in orders from before rates were kept. */
            tax_lines: components["schemas"]["TaxLine"][];
            /** @description The rate of the tax on `totals.shipping`; 0 where shipping is not taxed. Null in orders from before it was kept. */
            shipping_tax_rate_percent: number | null;
            currency: string;
            /** @description The first code of `applied_promotions`. */
            coupon: string | null;
            applied_promotions: components["schemas"]["AppliedPromotion"][];
            /** @description As it was when the order was placed. Null if nothing is shipped. Its price is `totals.shipping`. */
            shipping_method: {
                id: string;
                name: string;
            } | null;
            customer: {
                /** Format: int64 */
                id: number | null;
                name: string | null;
                email: string | null;
                phone: string | null;
            };
            addresses: {
                shipping: {
                    country: string;
                    first_name?: string;
                    last_name?: string;
                    company?: string;
                    line1?: string;
                    line2?: string;
                    city?: string;
                    region?: string;
                    postal_code?: string;
                    phone?: string;
                } | null;
            };
            /** @description Null if it is the shipping address. */
            billing_address: {
                country: string;
                first_name?: string;
                last_name?: string;
                company?: string;
                line1?: string;
                line2?: string;
                city?: string;
                region?: string;
                postal_code?: string;
                phone?: string;
            } | null;
            /** @description The shopper's message to the shop, entered at checkout. */
            note: string | null;
            /** @description Oldest first, cancelled ones included. Events of an order of more than 1.9 MB, without its `downloads`, have the latest ten only. */
            fulfilments: components["schemas"]["Fulfilment"][];
            /** @description Oldest first. */
            refunds: components["schemas"]["CustomerRefund"][];
            /** @description Money that arrived, which the order cannot use and which has not gone back yet, such as a second payment. The payment provider is asked for its return; in your own checkout pay it back, and report `refunded` with its `reference`. */
            refund_due: number;
            dispute: components["schemas"]["OrderDispute"];
            /** @description The shopping agent that filled the cart, by the URI of its profile; null for a shopper's own order. */
            agent: {
                profile: string;
            } | null;
            /** @enum {string|null} */
            cancel_reason: "shopper" | "tenant" | "timeout" | null;
            /**
             * Format: date-time
             * @description When it was paid; null if it was not. `GET /v1/insights` counts its sale at this time.
             */
            paid_at: string | null;
            /**
             * Format: date-time
             * @description When it was cancelled; null while its `status` is another one.
             */
            cancelled_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        CustomerRefund: {
            /** @example ref_9Qm2XcVb7LkTzR4sWyHd0PnA */
            id: string;
            /**
             * @description `pending` until the payment provider has completed it; it is retried until then. `failed`: the provider refused it, or the money came back.
             * @enum {string}
             */
            status: "pending" | "succeeded" | "failed";
            amount: number;
            currency: string;
            items: {
                /** Format: int64 */
                line_id: number;
                /** Format: int64 */
                quantity: number;
                restock: boolean;
                shipped: boolean;
                amount: number;
            }[];
            /** @description The part of `amount` that is shipping, with its tax. */
            shipping: number;
            /** @description The part of `amount` that is tax. Units have that of their line, shipping its own, and other amounts that of all that is left, in proportion. Together it is the order's tax once everything is refunded; a refund that fails later no longer counts, which may move cents between the others. */
            tax: number;
            /**
             * @description `request`: this API or the panel. `cancellation`: the order was cancelled. `provider`: made at the payment provider, or reported by your own checkout. `dispute`: a dispute was lost.
             * @enum {string}
             */
            source: "request" | "cancellation" | "provider" | "dispute";
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        OrderBulkResult: {
            /**
             * Format: int64
             * @description Orders that now are as the change says, including those that already were.
             */
            updated: number;
            /** @description The orders that refused the change, and why. The others changed. */
            errors: {
                id: string;
                code: string;
                message: string;
            }[];
        };
        OrderBulkRequest: {
            ids: string[];
            change: components["schemas"]["OrderBulkChange"];
        };
        OrderBulkChange: {
            /**
             * @description Fulfils everything that is left, in one fulfilment without tracking for each order. An order with nothing left stays as it is.
             * @enum {boolean}
             */
            fulfil?: true;
            archived?: boolean;
            add_tags?: string[];
            remove_tags?: string[];
        };
        OrderTimeline: {
            data: {
                /** Format: date-time */
                at: string;
                /**
                 * @description `edited`: the order or one of its fulfilments was changed; `details` names what.
                 * @enum {string}
                 */
                type: "placed" | "paid" | "refunded" | "fulfilled" | "cancelled" | "edited" | "noted";
                /** @description `system`: the service itself, such as when a deadline passes. */
                by: {
                    /** @enum {string} */
                    kind: "shopper" | "application" | "panel" | "provider" | "system";
                    /** @description The id of the application, the customer or the panel's user, or the payment provider's name. */
                    id?: string;
                };
                /** @description By type. `paid`: `provider`. `refunded`: `refund_id`, `amount`, `currency`, `source`. `fulfilled`: `fulfilment_id`, `items`. `cancelled`: `cancel_reason`. `edited`: `changed`, the names of the changed fields; of a fulfilment also `fulfilment_id` and its `status`. `noted`: `text`, until the customer is erased. */
                details: {
                    [key: string]: unknown;
                };
            }[];
        };
        OrderNoteCreate: {
            text: string;
        };
        FulfilmentCreate: {
            /** @description Default: everything that is left to ship. Units that were refunded before they were shipped are not left: they cannot be named either. */
            items?: {
                /** Format: int64 */
                line_id: number;
                quantity: number;
            }[];
            tracking?: components["schemas"]["TrackingInput"];
        };
        /**
         * @description How the parcel can be followed. `url` is an https URL of the carrier.
         * @example {
         *       "carrier": "DHL",
         *       "number": "00340434161094042557",
         *       "url": "https://www.dhl.de/en/t?id=2557"
         *     }
         */
        TrackingInput: {
            carrier?: string | null;
            number?: string | null;
            /**
             * Format: uri
             * @description Stored as an RFC 3986 URI: other characters are percent-encoded.
             */
            url?: string | null;
        } | null;
        FulfilmentPatch: {
            /** @enum {string} */
            status?: "shipped" | "delivered" | "cancelled";
            tracking?: components["schemas"]["TrackingInput"];
        };
        Insights: {
            /** @enum {string} */
            period: "24h" | "7d" | "30d";
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            /**
             * Format: date-time
             * @description The period before begins here and ends as much earlier than `to`.
             */
            previous_from: string;
            /** @description One entry for the main currency, and for each other one in which something happened. */
            sales: {
                /**
                 * @description The revenue of orders that were paid in this time, less their later refunds.
                 * @example 1249.5
                 */
                sales: number;
                /**
                 * Format: int64
                 * @description Orders paid in this time, less those cancelled or refunded as a whole since.
                 */
                orders: number;
                /** @description Sales by orders; null without orders. */
                average_order: number | null;
                /**
                 * Format: int64
                 * @description Carts reported by `cart.abandoned`.
                 */
                abandoned_carts: number;
                currency: string;
                previous: {
                    /**
                     * @description The revenue of orders that were paid in this time, less their later refunds.
                     * @example 1249.5
                     */
                    sales: number;
                    /**
                     * Format: int64
                     * @description Orders paid in this time, less those cancelled or refunded as a whole since.
                     */
                    orders: number;
                    /** @description Sales by orders; null without orders. */
                    average_order: number | null;
                    /**
                     * Format: int64
                     * @description Carts reported by `cart.abandoned`.
                     */
                    abandoned_carts: number;
                };
                parts: {
                    /** Format: date-time */
                    from: string;
                    /**
                     * @description The revenue of orders that were paid in this time, less their later refunds.
                     * @example 1249.5
                     */
                    sales: number;
                    /**
                     * Format: int64
                     * @description Orders paid in this time, less those cancelled or refunded as a whole since.
                     */
                    orders: number;
                }[];
            }[];
            best_sellers: {
                sku: string;
                /** Format: int64 */
                product_id: number;
                /** @description The name at its latest sale. */
                name: string;
                /** Format: int64 */
                units: number;
            }[];
            /** @description Calls with a valid token, counted within about five minutes. The 20 busiest applications. */
            api: {
                /** Format: int64 */
                calls: number;
                /**
                 * Format: int64
                 * @description Responses with a 4xx status.
                 */
                client_errors: number;
                /**
                 * Format: int64
                 * @description Responses with a 5xx status.
                 */
                server_errors: number;
                previous: {
                    /** Format: int64 */
                    calls: number;
                    /**
                     * Format: int64
                     * @description Responses with a 4xx status.
                     */
                    client_errors: number;
                    /**
                     * Format: int64
                     * @description Responses with a 5xx status.
                     */
                    server_errors: number;
                };
                parts: {
                    /** Format: date-time */
                    from: string;
                    /** Format: int64 */
                    calls: number;
                    /**
                     * Format: int64
                     * @description Responses with a 4xx status.
                     */
                    client_errors: number;
                    /**
                     * Format: int64
                     * @description Responses with a 5xx status.
                     */
                    server_errors: number;
                }[];
                applications: {
                    /** Format: int64 */
                    application_id: number;
                    /** Format: int64 */
                    calls: number;
                    /**
                     * Format: int64
                     * @description Responses with a 4xx status.
                     */
                    client_errors: number;
                    /**
                     * Format: int64
                     * @description Responses with a 5xx status.
                     */
                    server_errors: number;
                }[];
            };
        };
        AuditRecordList: {
            data: components["schemas"]["AuditRecord"][];
            meta: components["schemas"]["PageMeta"];
        };
        AuditRecord: {
            /** Format: int64 */
            id: number;
            /** Format: date-time */
            at: string;
            actor: {
                /**
                 * @description `panel`: a person in the developer panel. `application`: a call with its token. `platform`: the platform's operator.
                 * @enum {string}
                 */
                kind: "panel" | "application" | "platform";
                /** Format: int64 */
                id: number | null;
                /** @description The name at that time. */
                name: string;
            };
            /** @example updateSettings */
            action: string;
            subject: {
                /** @example settings */
                kind: string;
                id: string | null;
                name: string | null;
            };
            /** @description The fields that changed, at most 40. Values that may be secret, personal or longer than 120 characters are left out. */
            changes: {
                field: string;
                old?: string;
                new?: string;
            }[];
            /** @description The `X-Request-Id` of the call. */
            request_id: string;
        };
        LoggedCallList: {
            data: components["schemas"]["LoggedCall"][];
            meta: components["schemas"]["PageMeta"];
        };
        LoggedCall: {
            request_id: string;
            /** Format: date-time */
            at: string;
            method: string;
            /**
             * @description The path's pattern.
             * @example /v1/products/{id}
             */
            route: string;
            /** Format: int64 */
            status: number;
            /**
             * Format: int64
             * @description The time until the response began.
             */
            duration_ms: number;
        };
        ThemeOptions: {
            /** @description The tenant's slug. */
            tenant: string;
            /** @description The tenant's name, for the storefront's header. */
            shop_name: string;
            /** @description The main currency: that of prices where none is asked for. */
            currency: string;
            /** @description All currencies that the shop sells in, the main one first: what `currency` takes in lists and carts. */
            currencies: string[];
            /** @description Whether prices include tax, as `totals.tax_included` of a cart says. */
            tax_included: boolean;
            /** @description For prices with and without tax on a page: the rates by country of delivery, and by a product's `tax_class`. */
            tax_rates: {
                rate_percent: number;
                rates_by_country?: {
                    [key: string]: number;
                };
                /** @description Rates by a product's `tax_class`. Other classes have the standard rates. */
                rates_by_class?: {
                    [key: string]: {
                        rate_percent: number;
                        rates_by_country?: {
                            [key: string]: number;
                        };
                    };
                };
            };
            /** @description Where an active shipping method delivers, in some currency, sorted: the countries to offer in the address of goods. Null: every country. */
            shipping_countries: components["schemas"]["Country"][] | null;
            colors: {
                /** @example #1A2B3C */
                primary: string;
                /** @example #1A2B3C */
                accent: string;
                /** @example #1A2B3C */
                background: string;
                /** @example #1A2B3C */
                text: string;
            };
            /**
             * @description The sections of the home page in their order, by names that shop and storefront agree on. The demo shop knows `hero`, `categories`, `new_arrivals`, `best_sellers`, `featured` (the best sellers too) and the slug of a category, and leaves out other names. `hero`, `featured`, `categories` where the shop has set none.
             * @example [
             *       "hero",
             *       "new_arrivals",
             *       "categories",
             *       "workshops"
             *     ]
             */
            homepage_sections: string[];
            /** Format: uri */
            logo_url?: string | null;
            /** Format: uri */
            favicon_url?: string | null;
            font_family?: string;
        };
        ThemePatch: {
            colors?: {
                /** @example #1A2B3C */
                primary?: string;
                /** @example #1A2B3C */
                accent?: string;
                /** @example #1A2B3C */
                background?: string;
                /** @example #1A2B3C */
                text?: string;
            };
            homepage_sections?: string[];
            /**
             * Format: uri
             * @description The `url` of an uploaded image, or any https URL. Stored as an RFC 3986 URI.
             */
            logo_url?: string | null;
            /**
             * Format: uri
             * @description The `url` of an uploaded image, or any https URL. Stored as an RFC 3986 URI.
             */
            favicon_url?: string | null;
            font_family?: string | null;
        };
        EventPage: {
            data: components["schemas"]["Event"][];
            meta: {
                /** @description The `after` of the next call. Also given when there is no event yet. */
                next_cursor: string;
            };
        };
        Event: components["schemas"]["OrderCreatedEvent"] | components["schemas"]["OrderPaidEvent"] | components["schemas"]["OrderCancelledEvent"] | components["schemas"]["OrderFulfilledEvent"] | components["schemas"]["OrderTrackingChangedEvent"] | components["schemas"]["OrderRefundedEvent"] | components["schemas"]["ProductUpdatedEvent"] | components["schemas"]["CategoryUpdatedEvent"] | components["schemas"]["StockChangedEvent"] | components["schemas"]["CustomerCreatedEvent"] | components["schemas"]["CustomerEmailChangedEvent"] | components["schemas"]["CartAbandonedEvent"];
        Webhook: {
            /** Format: int64 */
            id: number;
            /** Format: uri */
            url: string;
            description: string | null;
            events: ("order.created" | "order.paid" | "order.cancelled" | "order.fulfilled" | "order.tracking_changed" | "order.refunded" | "product.updated" | "category.updated" | "stock.changed" | "customer.created" | "customer.email_changed" | "cart.abandoned")[];
            /** @enum {string} */
            status: "active" | "paused";
            filter: {
                [key: string]: (string | number)[];
            } | null;
            ordered: boolean;
            secret_preview: string | null;
            /**
             * @description `requested`: paused by its owner; `gone`: its receiver responded with 410; `failing`: its receiver failed for five days.
             * @enum {string|null}
             */
            paused_reason: "requested" | "gone" | "failing" | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        WebhookWithSecret: {
            /** Format: int64 */
            id: number;
            /** Format: uri */
            url: string;
            description: string | null;
            events: ("order.created" | "order.paid" | "order.cancelled" | "order.fulfilled" | "order.tracking_changed" | "order.refunded" | "product.updated" | "category.updated" | "stock.changed" | "customer.created" | "customer.email_changed" | "cart.abandoned")[];
            /** @enum {string} */
            status: "active" | "paused";
            filter: {
                [key: string]: (string | number)[];
            } | null;
            ordered: boolean;
            secret_preview: string | null;
            /**
             * @description `requested`: paused by its owner; `gone`: its receiver responded with 410; `failing`: its receiver failed for five days.
             * @enum {string|null}
             */
            paused_reason: "requested" | "gone" | "failing" | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description Shown once. Deliveries are signed with it. */
            secret: string;
        };
        WebhookCreate: {
            /**
             * Format: uri
             * @description Must be https with a public host. Stored as a URI, with other characters percent-encoded.
             * @example https://shop.example.com/hooks
             */
            url: string;
            /**
             * @description A note on what the webhook is for.
             * @default null
             * @example Stock for the warehouse
             */
            description?: string | null;
            events: ("order.created" | "order.paid" | "order.cancelled" | "order.fulfilled" | "order.tracking_changed" | "order.refunded" | "product.updated" | "category.updated" | "stock.changed" | "customer.created" | "customer.email_changed" | "cart.abandoned")[];
            /**
             * @default active
             * @enum {string}
             */
            status?: "active" | "paused";
            /**
             * @description Delivers only events that match: `{"sku": ["A", "B"]}`. An event must have one of the values of each key that its type has; events of types without a key are not affected by it. `order.*`: `status`, `payment_status`, `currency`, `customer_id`, `agent`, `product_id`, `sku`; `product.*`: `product_id`, `sku`, `category_id`, `type`, `status`, `changed`; `category.*`: `category_id`, `parent_id`, `changed`; `stock.*`: `product_id`, `variant_id`, `sku`, `reason`; `customer.created`: `customer_id`; `customer.email_changed`: `customer_id`; `cart.*`: `customer_id`, `currency`, `product_id`, `sku`. A key that none of the `events` has is 422, and so is a status, type or currency that none can have. A change applies to events from then on, and to a replay of a range.
             * @example {
             *       "sku": [
             *         "A",
             *         "B"
             *       ]
             *     }
             */
            filter?: {
                [key: string]: (string | number)[];
            } | null;
            /**
             * @description Sends the events of one resource (a product, an order, an item of stock) one after the other, in the order in which they were committed: the next one waits until the one before was delivered or is `dead`. Other resources are not held up. A delivery that waits is `pending` without `next_attempt_at`.
             * @default false
             */
            ordered?: boolean;
        };
        WebhookPatch: {
            /**
             * Format: uri
             * @description Must be https with a public host. Stored as a URI, with other characters percent-encoded.
             * @example https://shop.example.com/hooks
             */
            url?: string;
            /**
             * @description A note on what the webhook is for.
             * @example Stock for the warehouse
             */
            description?: string | null;
            events?: ("order.created" | "order.paid" | "order.cancelled" | "order.fulfilled" | "order.tracking_changed" | "order.refunded" | "product.updated" | "category.updated" | "stock.changed" | "customer.created" | "customer.email_changed" | "cart.abandoned")[];
            /** @enum {string} */
            status?: "active" | "paused";
            /**
             * @description As in a new webhook; null removes the filter.
             * @example {
             *       "sku": [
             *         "A",
             *         "B"
             *       ]
             *     }
             */
            filter?: {
                [key: string]: (string | number)[];
            } | null;
            ordered?: boolean;
        };
        WebhookDelivery: {
            /** Format: int64 */
            id: number;
            /** @description The `webhook-id` of every attempt. */
            event_id: string;
            /** @enum {string} */
            event: "order.created" | "order.paid" | "order.cancelled" | "order.fulfilled" | "order.tracking_changed" | "order.refunded" | "product.updated" | "category.updated" | "stock.changed" | "customer.created" | "customer.email_changed" | "cart.abandoned" | "ping";
            /**
             * @description `failed`: the last attempt failed, and a retry follows; `dead`: no retries are left; `held`: the webhook was paused.
             * @enum {string}
             */
            status: "pending" | "delivered" | "failed" | "held" | "dead";
            /** Format: int64 */
            attempts: number;
            /** Format: int64 */
            response_status: number | null;
            /** Format: date-time */
            occurred_at: string;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description null if none is scheduled, and while the webhook is paused.
             */
            next_attempt_at: string | null;
            /** Format: date-time */
            delivered_at: string | null;
            /** @description The last 20 attempts, oldest first. */
            log: {
                /** Format: date-time */
                started_at: string;
                /**
                 * Format: int64
                 * @description Null while the attempt runs.
                 */
                duration_ms: number | null;
                /** Format: int64 */
                response_status: number | null;
                error: string | null;
                /** @description At most its first 4 KiB, of a successful response 1 KiB; null beyond the last 1,000 attempts of the webhook, and without the scope that reads the event. */
                response_body: string | null;
            }[];
        };
        WebhookDeliveryWithRequest: {
            /** Format: int64 */
            id: number;
            /** @description The `webhook-id` of every attempt. */
            event_id: string;
            /** @enum {string} */
            event: "order.created" | "order.paid" | "order.cancelled" | "order.fulfilled" | "order.tracking_changed" | "order.refunded" | "product.updated" | "category.updated" | "stock.changed" | "customer.created" | "customer.email_changed" | "cart.abandoned" | "ping";
            /**
             * @description `failed`: the last attempt failed, and a retry follows; `dead`: no retries are left; `held`: the webhook was paused.
             * @enum {string}
             */
            status: "pending" | "delivered" | "failed" | "held" | "dead";
            /** Format: int64 */
            attempts: number;
            /** Format: int64 */
            response_status: number | null;
            /** Format: date-time */
            occurred_at: string;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description null if none is scheduled, and while the webhook is paused.
             */
            next_attempt_at: string | null;
            /** Format: date-time */
            delivered_at: string | null;
            /** @description The last 20 attempts, oldest first. */
            log: {
                /** Format: date-time */
                started_at: string;
                /**
                 * Format: int64
                 * @description Null while the attempt runs.
                 */
                duration_ms: number | null;
                /** Format: int64 */
                response_status: number | null;
                error: string | null;
                /** @description At most its first 4 KiB, of a successful response 1 KiB; null beyond the last 1,000 attempts of the webhook, and without the scope that reads the event. */
                response_body: string | null;
            }[];
            /** @description The same in every attempt, beside `webhook-timestamp` and `webhook-signature`, which are not kept. After a customer was erased, the body is without their data. */
            request: {
                headers: {
                    [key: string]: string;
                };
                /** @description The JSON that is signed, as it is sent. */
                body: string;
            };
        };
        WebhookReplay: {
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
        };
        Settings: {
            tax: {
                rate_percent: number;
                rates_by_country?: {
                    [key: string]: number;
                };
                /** @enum {string} */
                mode: "exclusive" | "inclusive";
                /** @description Rates by a product's `tax_class`. Other classes have the standard rates. */
                rates_by_class?: {
                    [key: string]: {
                        rate_percent: number;
                        rates_by_country?: {
                            [key: string]: number;
                        };
                    };
                };
                /** @description Whether shipping is taxed, at the standard rate of the country. By default it is not. */
                shipping_taxed?: boolean;
            };
            shipping: {
                flat: number | {
                    [key: string]: number;
                };
                free_over?: number | {
                    [key: string]: number;
                } | null;
                /** @description Overrides by country: `flat` and `free_over`, or an amount, which is the `flat`. */
                by_country?: {
                    [key: string]: (number | {
                        [key: string]: number;
                    }) | {
                        flat: number | {
                            [key: string]: number;
                        };
                        free_over?: number | {
                            [key: string]: number;
                        } | null;
                    };
                };
                /** @description What shoppers choose from. If there are any, they apply in place of `flat`, `free_over` and `by_country`, which otherwise are one method with the id `standard`. */
                methods?: components["schemas"]["ShippingMethodSettings"][];
            };
            checkout: {
                allowed_hosts: string[];
                /**
                 * Format: uri
                 * @description The tenant's own checkout page. Shoppers are sent there with `session_token`: a JWS (HS256 under `checkout_secret`) with the claims `iss`, `aud` (the tenant's slug), `session`, `iat` and `exp`. It reads `/v1/checkout/sessions/{session}`, places the order and reports its payment.
                 */
                external_url?: string | null;
            };
            /**
             * @description The highest available quantity that counts as low stock, 5 unless set: in `GET /v1/inventory/low-stock`, the list filter `stock=low` and the panel. With 0, only sold-out items count.
             * @default 5
             */
            low_stock_threshold?: number;
            feeds?: {
                /**
                 * @description A product's page in the shop, for `link` in product feeds. `{slug}` and `{id}` are the product's; `{variant_id}` is the variant's id, or the product's where it has no variants.
                 * @example https://shop.example.com/p/{slug}?variant={variant_id}
                 */
                product_url?: string | null;
            };
            /** @description Whether shopping agents may buy here by the Universal Commerce Protocol. Enabling it needs a plan with the feature `ucp`. */
            ucp?: {
                /** @description Whether agents may buy here: only then the tenant's profile and endpoints exist. */
                enabled: boolean;
                /** @description Host names that lead to this service, such as the shop's own domain: `/.well-known/ucp` there responds with this tenant's profile. A host belongs to one tenant: 409 `host_taken`. */
                hosts?: string[];
                /**
                 * Format: uri
                 * @description The first page of the shop, where agents send shoppers when they can go no further, and where shoppers go back to after they paid. Default: the root of the site of `product_url`.
                 */
                storefront_url?: string | null;
                /**
                 * @description A product's page in the shop, with the placeholders of `feeds.product_url`, which is used without it.
                 * @example https://shop.example.com/p/{slug}?variant={variant_id}
                 */
                product_url?: string | null;
                /** @description Pages that agents show before a purchase. */
                policies?: {
                    /**
                     * Format: uri
                     * @description The privacy policy.
                     */
                    privacy?: string | null;
                    /**
                     * Format: uri
                     * @description The terms of service.
                     */
                    terms?: string | null;
                    /**
                     * Format: uri
                     * @description The refund policy.
                     */
                    refunds?: string | null;
                };
            };
            /**
             * @description The payment provider. With `none`, checkout is unavailable (503) unless `external_url` is set. `sandbox` moves no money, and its orders are marked `test`. `stripe` needs `stripe_secret_key` and `stripe_webhook_secret`, stored before or in the same request: without them it is 422, and neither can be removed while it is chosen.
             * @enum {string}
             */
            payments: "none" | "sandbox" | "stripe";
        };
        ShippingMethodSettings: {
            /** @example express */
            id: string;
            name: string;
            description?: string | null;
            /** @description Where it delivers. Omitted: everywhere. With it, it is not offered before the country is known. */
            countries?: components["schemas"]["Country"][];
            /** @description A number for every currency, or an amount by currency: the method is not offered in other currencies. */
            price?: number | {
                [key: string]: number;
            };
            /** @description In place of `price`: prices from a value of the goods (after discount) or from a weight (grams) on. Ascending, of one kind, the first from 0. */
            tiers?: components["schemas"]["ShippingTier"][];
            /** @description Free from this value of the goods (after discount) on. */
            free_over?: number | {
                [key: string]: number;
            } | null;
            min_days?: number | null;
            max_days?: number | null;
            /**
             * @description Whether it is offered. Where no method is active, nothing can be shipped.
             * @default true
             */
            active?: boolean;
        };
        ShippingTier: {
            from_subtotal?: number | {
                [key: string]: number;
            };
            /** @description Grams. */
            from_weight?: number;
            price: number | {
                [key: string]: number;
            };
        };
        /** @description Write-only: stored encrypted and never shown. */
        SecretsPatch: {
            /** @description Signs checkout's messages to the storefront. 16 to 255 characters. Generated when the tenant is created. */
            checkout_secret?: string;
            /** @description The Stripe account's secret key. Orders paid under a test key are marked `test`. */
            stripe_secret_key?: string | null;
            /** @description The signing secret of the Stripe webhook endpoint with the URL `/payments/stripe/{tenant's slug}`. */
            stripe_webhook_secret?: string | null;
        };
        SettingsChange: {
            tax?: {
                rate_percent: number;
                rates_by_country?: {
                    [key: string]: number;
                };
                /** @enum {string} */
                mode: "exclusive" | "inclusive";
                /** @description Rates by a product's `tax_class`. Other classes have the standard rates. */
                rates_by_class?: {
                    [key: string]: {
                        rate_percent: number;
                        rates_by_country?: {
                            [key: string]: number;
                        };
                    };
                };
                /** @description Whether shipping is taxed, at the standard rate of the country. By default it is not. */
                shipping_taxed?: boolean;
            };
            shipping?: {
                flat?: number | {
                    [key: string]: number;
                };
                free_over?: number | {
                    [key: string]: number;
                } | null;
                /** @description Overrides by country: `flat` and `free_over`, or an amount, which is the `flat`. */
                by_country?: {
                    [key: string]: (number | {
                        [key: string]: number;
                    }) | {
                        flat: number | {
                            [key: string]: number;
                        };
                        free_over?: number | {
                            [key: string]: number;
                        } | null;
                    };
                };
                /** @description What shoppers choose from. If there are any, they apply in place of `flat`, `free_over` and `by_country`, which otherwise are one method with the id `standard`. */
                methods?: components["schemas"]["ShippingMethodSettings"][];
            };
            checkout?: {
                allowed_hosts?: string[];
                /**
                 * Format: uri
                 * @description The tenant's own checkout page. Shoppers are sent there with `session_token`: a JWS (HS256 under `checkout_secret`) with the claims `iss`, `aud` (the tenant's slug), `session`, `iat` and `exp`. It reads `/v1/checkout/sessions/{session}`, places the order and reports its payment.
                 */
                external_url?: string | null;
            };
            /**
             * @description The highest available quantity that counts as low stock, 5 unless set: in `GET /v1/inventory/low-stock`, the list filter `stock=low` and the panel. With 0, only sold-out items count.
             * @default 5
             */
            low_stock_threshold?: number;
            feeds?: {
                /**
                 * @description A product's page in the shop, for `link` in product feeds. `{slug}` and `{id}` are the product's; `{variant_id}` is the variant's id, or the product's where it has no variants.
                 * @example https://shop.example.com/p/{slug}?variant={variant_id}
                 */
                product_url?: string | null;
            };
            /** @description Whether shopping agents may buy here by the Universal Commerce Protocol. Enabling it needs a plan with the feature `ucp`. */
            ucp?: {
                /** @description Whether agents may buy here: only then the tenant's profile and endpoints exist. */
                enabled: boolean;
                /** @description Host names that lead to this service, such as the shop's own domain: `/.well-known/ucp` there responds with this tenant's profile. A host belongs to one tenant: 409 `host_taken`. */
                hosts?: string[];
                /**
                 * Format: uri
                 * @description The first page of the shop, where agents send shoppers when they can go no further, and where shoppers go back to after they paid. Default: the root of the site of `product_url`.
                 */
                storefront_url?: string | null;
                /**
                 * @description A product's page in the shop, with the placeholders of `feeds.product_url`, which is used without it.
                 * @example https://shop.example.com/p/{slug}?variant={variant_id}
                 */
                product_url?: string | null;
                /** @description Pages that agents show before a purchase. */
                policies?: {
                    /**
                     * Format: uri
                     * @description The privacy policy.
                     */
                    privacy?: string | null;
                    /**
                     * Format: uri
                     * @description The terms of service.
                     */
                    terms?: string | null;
                    /**
                     * Format: uri
                     * @description The refund policy.
                     */
                    refunds?: string | null;
                };
            };
            /**
             * @description The payment provider. With `none`, checkout is unavailable (503) unless `external_url` is set. `sandbox` moves no money, and its orders are marked `test`. `stripe` needs `stripe_secret_key` and `stripe_webhook_secret`, stored before or in the same request: without them it is 422, and neither can be removed while it is chosen.
             * @enum {string}
             */
            payments?: "none" | "sandbox" | "stripe";
            secrets?: components["schemas"]["SecretsPatch"];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listProducts: {
        parameters: {
            query?: {
                /** @description Filters by attributes, of products or of variants: `attr.color=Black,Red&attr.size=M`. Each is a comma-separated list of at most 20 alternatives, compared without case and accents. One variant must meet all filters by attributes, price, stock and sale. A list takes at most 10 filters in all. */
                attr?: {
                    [key: string]: string | (string | number)[];
                };
                page?: number;
                limit?: number;
                /** @description The `next_cursor` of a page. */
                cursor?: string;
                /** @description Lowest price, in the currency of the list. */
                price_min?: number;
                /** @description Highest price, in the currency of the list. */
                price_max?: number;
                /** @description Only what can be bought now. */
                in_stock?: true;
                /** @description By the whole product: `out`: none can be sold; `low`: it needs stock, and at least 1 but at most the tenant's `low_stock_threshold` are left. */
                stock?: "low" | "out";
                /** @description Only products on sale. */
                on_sale?: true;
                /** @description Comma-separated list of `simple`, `configurable`, `virtual`, `downloadable`, `grouped`, `bundled`, `booking`. */
                type?: string | (string | number)[];
                /** @description Vendors: a comma-separated list of at most 20 alternatives, compared without case and accents. A backslash makes a comma part of a value. */
                vendor?: string | (string | number)[];
                /** @description Tags: a comma-separated list of at most 20 alternatives, compared without case and accents. A backslash makes a comma part of a value. */
                tag?: string | (string | number)[];
                /** @description Ids of at most 20 categories, comma-separated: includes products of each and of its descendants. */
                category_id?: (number | string) | (string | number)[];
                /** @description Comma-separated list of at most 10 of `price`, `in_stock`, `type`, `vendor`, `tag`, `category` and `attr.<name>`: what `meta.facets` counts. A facet counts products as if its own filter were not set, with all others applied. */
                facets?: string | (string | number)[];
                /** @description Lists these products, in this order; those that are not there are left out. Only `include`, `currency`, `status` and a `limit` of at least as many may be combined with it. 1 to 100 ids, each once, separated by commas. */
                ids?: string | (string | number)[];
                /** @description Lists the products that have these variants, in this order and each once. May be combined with what `ids` may be. 1 to 100 ids, each once, separated by commas. */
                variant_ids?: string | (string | number)[];
                /** @description Lists the products that have these SKUs, themselves or as a variant's, in this order and each once. May be combined with what `ids` may be. 1 to 100 SKUs in their own upper and lower case, each once, separated by commas; a backslash makes a comma part of a SKU. */
                skus?: string | (string | number)[];
                /** @description Lists the products that have this barcode, themselves or as a variant's, the oldest first, at most 100, in pages of `limit` (default: all). Exact; but a GTIN is found as 8, 12, 13 or 14 digits, whatever zeros are in front, and with or without spaces and hyphens. May be combined with what `member_of` may be. */
                barcode?: string;
                /** @description Lists the products that this grouped or bundled product contains, in its order and each once, at most 100, in pages of `limit` (default: all). May be combined with what `ids` may be, `page` and `cursor`. */
                member_of?: number;
                /** @description Matches products with a word in name, SKU or slug for each word as a prefix. Chinese, Japanese, Korean, Thai, Lao, Khmer and Burmese words are also found within a name. */
                q?: string;
                /** @description Alias of `q`; both must be the same if both are given. */
                search?: string;
                /** @description `best_selling`: by the quantity that was paid for in the last 30 days (UTC) and not refunded, recounted every hour. */
                sort?: "newest" | "oldest" | "best_selling" | "price_asc" | "price_desc" | "name_asc" | "name_desc";
                /** @description Comma-separated list of `variants`, `images` and `categories`. */
                include?: string | (string | number)[];
                /** @description Defaults to the tenant's main currency. */
                currency?: components["schemas"]["Currency"];
                /** @description Values other than `active` require the scope `catalog:write`. Defaults to `active`. */
                status?: "active" | "inactive" | "all";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductList"];
                };
            };
        };
    };
    createProduct: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProductCreate"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Product"];
                };
            };
        };
    };
    getProduct: {
        parameters: {
            query?: {
                /** @description ISO 4217 */
                currency?: components["schemas"]["Currency"];
                /** @description Values other than `active` require the scope `catalog:write`. Defaults to `active`. */
                status?: "active" | "inactive" | "all";
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Product"];
                };
            };
        };
    };
    deleteProduct: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateProduct: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ProductPatch"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Product"];
                };
            };
        };
    };
    getProductBySlug: {
        parameters: {
            query?: {
                /** @description ISO 4217 */
                currency?: components["schemas"]["Currency"];
                /** @description Values other than `active` require the scope `catalog:write`. Defaults to `active`. */
                status?: "active" | "inactive" | "all";
            };
            header?: never;
            path: {
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Product"];
                };
            };
        };
    };
    listRelatedProducts: {
        parameters: {
            query?: {
                limit?: number;
                /** @description Defaults to the tenant's main currency. */
                currency?: components["schemas"]["Currency"];
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RelatedProducts"];
                };
            };
        };
    };
    duplicateProduct: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Product"];
                };
            };
        };
    };
    changeProducts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BulkRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkResult"];
                };
            };
        };
    };
    setProductPrices: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PricesUpdate"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PricesUpdated"];
                };
            };
        };
    };
    getCategoryTree: {
        parameters: {
            query?: {
                /** @description Includes hidden categories. Requires the scope `catalog:write`. */
                hidden?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CategoryTree"];
                };
            };
        };
    };
    createCategory: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CategoryCreate"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Category"];
                };
            };
        };
    };
    getCategoryBySlug: {
        parameters: {
            query?: {
                /** @description Includes hidden categories. Requires the scope `catalog:write`. */
                hidden?: boolean;
            };
            header?: never;
            path: {
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Category"];
                };
            };
        };
    };
    getCategory: {
        parameters: {
            query?: {
                /** @description Includes hidden categories. Requires the scope `catalog:write`. */
                hidden?: boolean;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Category"];
                };
            };
        };
    };
    deleteCategory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateCategory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CategoryPatch"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Category"];
                };
            };
        };
    };
    getSitemap: {
        parameters: {
            query: {
                kind: "products" | "categories";
                /** @description The `next_cursor` of a page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Sitemap"];
                };
            };
        };
    };
    listMedia: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                /** @description The `next_cursor` of a page. */
                cursor?: string;
                /** @description Beginnings of words of the alternative text that a product gives the image, or of the product's name, without case and accents; words within text of scripts without spaces (Japanese, Thai). Looks at the 2,000 newest images and at most 8 MiB of texts; the names of files are not stored. */
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MediaList"];
                };
            };
        };
    };
    createMedia: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "image/jpeg": string;
                "image/png": string;
                "image/webp": string;
                "image/avif": string;
                "image/gif": string;
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Media"];
                };
            };
        };
    };
    getMedia: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Media"];
                };
            };
        };
    };
    deleteMedia: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    searchProducts: {
        parameters: {
            query: {
                /** @description Filters by attributes, of products or of variants: `attr.color=Black,Red&attr.size=M`. Each is a comma-separated list of at most 20 alternatives, compared without case and accents. One variant must meet all filters by attributes, price, stock and sale. A list takes at most 10 filters in all. */
                attr?: {
                    [key: string]: string | (string | number)[];
                };
                q: string;
                page?: number;
                limit?: number;
                /** @description The `next_cursor` of a page. */
                cursor?: string;
                /** @description Lowest price, in the currency of the list. */
                price_min?: number;
                /** @description Highest price, in the currency of the list. */
                price_max?: number;
                /** @description Only what can be bought now. */
                in_stock?: true;
                /** @description By the whole product: `out`: none can be sold; `low`: it needs stock, and at least 1 but at most the tenant's `low_stock_threshold` are left. */
                stock?: "low" | "out";
                /** @description Only products on sale. */
                on_sale?: true;
                /** @description Comma-separated list of `simple`, `configurable`, `virtual`, `downloadable`, `grouped`, `bundled`, `booking`. */
                type?: string | (string | number)[];
                /** @description Vendors: a comma-separated list of at most 20 alternatives, compared without case and accents. A backslash makes a comma part of a value. */
                vendor?: string | (string | number)[];
                /** @description Tags: a comma-separated list of at most 20 alternatives, compared without case and accents. A backslash makes a comma part of a value. */
                tag?: string | (string | number)[];
                /** @description Ids of at most 20 categories, comma-separated: includes products of each and of its descendants. */
                category_id?: (number | string) | (string | number)[];
                /** @description Comma-separated list of at most 10 of `price`, `in_stock`, `type`, `vendor`, `tag`, `category` and `attr.<name>`: what `meta.facets` counts. A facet counts products as if its own filter were not set, with all others applied. */
                facets?: string | (string | number)[];
                sort?: "relevance" | "newest" | "oldest" | "best_selling" | "price_asc" | "price_desc" | "name_asc" | "name_desc";
                /** @description Comma-separated list of `variants`, `images` and `categories`. */
                include?: string | (string | number)[];
                /** @description Defaults to the tenant's main currency. */
                currency?: components["schemas"]["Currency"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductList"];
                };
            };
        };
    };
    createCart: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CartCreate"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Cart"];
                };
            };
        };
    };
    changeCart: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                cart_token: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CartBatch"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Cart"];
                };
            };
        };
    };
    getCart: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                cart_token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Cart"];
                };
            };
        };
    };
    getCartHistory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                cart_token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CartHistory"];
                };
            };
        };
    };
    explainCart: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                cart_token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TotalsExplanation"];
                };
            };
        };
    };
    addCartItem: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CartItemAdd"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Cart"];
                };
            };
        };
    };
    removeCartItem: {
        parameters: {
            query: {
                cart_token: string;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Cart"];
                };
            };
        };
    };
    updateCartItem: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CartItemPatch"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Cart"];
                };
            };
        };
    };
    applyCartCoupon: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                cart_token: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CartCouponApply"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Cart"];
                };
            };
        };
    };
    removeCartCoupon: {
        parameters: {
            query?: {
                code?: string;
            };
            header?: never;
            path: {
                cart_token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Cart"];
                };
            };
        };
    };
    setCartShippingAddress: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                cart_token: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PostalAddressInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Cart"];
                };
            };
        };
    };
    listCartShippingMethods: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                cart_token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShippingMethodList"];
                };
            };
        };
    };
    setCartShippingMethod: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                cart_token: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CartShippingMethodChoice"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Cart"];
                };
            };
        };
    };
    listPromotions: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                /** @description The `next_cursor` of a page. */
                cursor?: string;
                /** @description `automatic`: applies to every cart that meets the conditions; `code`: to carts with the code. */
                trigger?: "automatic" | "code";
                /** @description `running`; `scheduled`: starts later; `over`: its period is over or its `max_uses` are used up; `off`: not `active`. */
                standing?: "running" | "scheduled" | "over" | "off";
                /** @description A part of the name or of the code, without case and accents. */
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PromotionList"];
                    "text/csv": string;
                };
            };
        };
    };
    createPromotion: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PromotionCreate"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Promotion"];
                };
            };
        };
    };
    getPromotion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Promotion"];
                };
            };
        };
    };
    deletePromotion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updatePromotion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PromotionPatch"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Promotion"];
                };
            };
        };
    };
    listPromotionProducts: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PromotionProducts"];
                };
            };
        };
    };
    listCoupons: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                /** @description The `next_cursor` of a page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CouponList"];
                };
            };
        };
    };
    createCoupon: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CouponCreate"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Coupon"];
                };
            };
        };
    };
    getCoupon: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Coupon"];
                };
            };
        };
    };
    deleteCoupon: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateCoupon: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CouponPatch"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Coupon"];
                };
            };
        };
    };
    adjustInventory: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdjustmentsCreate"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Adjusted"];
                };
            };
        };
    };
    listLowStock: {
        parameters: {
            query?: {
                /** @description The highest available quantity that is low; by default the tenant's `low_stock_threshold`. */
                threshold?: number;
                limit?: number;
                /** @description The `next_cursor` of a page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LowStock"];
                };
            };
        };
    };
    listProductsOfMedia: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PictureUses"];
                };
            };
        };
    };
    createImport: {
        parameters: {
            query?: {
                /** @description `set` also writes quantities to existing products, which requires the scope `inventory:write`; by default only new products get them. */
                stock?: "set";
                /** @description Only checks the file: counts what an import would create, update and leave, and lists its errors: everything that the import would refuse by now, quotas, shared SKUs and reserved stock included. */
                dry_run?: true;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "text/csv": string;
            };
        };
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportStarted"];
                };
            };
        };
    };
    listImports: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                /** @description The `next_cursor` of a page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportList"];
                };
            };
        };
    };
    getImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Import"];
                };
            };
        };
    };
    cancelImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Import"];
                };
            };
        };
    };
    listImportErrors: {
        parameters: {
            query?: {
                /** @description Skips this many errors. */
                after?: number;
                limit?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportErrors"];
                    "text/csv": string;
                };
            };
        };
    };
    exportProducts: {
        parameters: {
            query?: {
                /** @description Continues after the product with this id. */
                after?: number;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductExport"];
                    "text/csv": string;
                };
            };
        };
    };
    listMarketplaceProducts: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                /** @description The `next_cursor` of a page. */
                cursor?: string;
                /** @description Only items changed after this instant, including those deleted in the last 90 days (stock 0). After a longer pause, read the feed without it. */
                updated_since?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Feed"];
                };
            };
        };
    };
    listProductFeeds: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductFeedList"];
                };
            };
        };
    };
    createProductFeed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProductFeedCreate"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductFeed"];
                };
            };
        };
    };
    deleteProductFeed: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listProductFeedProblems: {
        parameters: {
            query?: {
                limit?: number;
                /** @description The `next_cursor` of a page. */
                cursor?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FeedProblemList"];
                };
            };
        };
    };
    previewProductFeed: {
        parameters: {
            query?: {
                limit?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FeedPreview"];
                };
            };
        };
    };
    registerCustomer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CustomerRegister"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerSession"];
                };
            };
        };
    };
    loginCustomer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CustomerLogin"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerSession"];
                };
            };
        };
    };
    logoutCustomer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerLoggedOut"];
                };
            };
        };
    };
    getCurrentCustomer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Customer"];
                };
            };
        };
    };
    eraseCurrentCustomer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateCurrentCustomer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CustomerPatch"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Customer"];
                };
            };
        };
    };
    assignCustomerCart: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CustomerCart"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerCart"];
                };
            };
        };
    };
    createPasswordReset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordResetRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasswordReset"];
                };
            };
        };
    };
    resetPassword: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPassword"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerSession"];
                };
            };
        };
    };
    listCustomerAddresses: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerAddressList"];
                };
            };
        };
    };
    createCustomerAddress: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CustomerAddressCreate"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerAddress"];
                };
            };
        };
    };
    deleteCustomerAddress: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateCustomerAddress: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CustomerAddressPatch"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerAddress"];
                };
            };
        };
    };
    listCustomers: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                /** @description The `next_cursor` of a page. */
                cursor?: string;
                /** @description By registration, `newest` by default; with `updated_since` it is `updated`, the latest change last. */
                sort?: "newest" | "oldest" | "updated";
                /** @description Only customers who registered or changed, or whose addresses did, after this time, the latest change last. Follow `meta.next_cursor` to the last page, and go on from its `meta.next_updated_since` (of CSV files, from `updated_at` of the last row): no change is missed. Erased customers are not listed: `ids` finds which of a copy are still there. */
                updated_since?: string;
                /** @description Only these customers; those that are not there are left out. 1 to 100 ids, each once, separated by commas. */
                ids?: string | (string | number)[];
                /** @description Words of name and e-mail, or an e-mail. Each matches from its beginning, without case and accents; all must match. Where each word matches more than 5,000 times, only the newest customers are found. */
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerList"];
                    "text/csv": string;
                };
            };
        };
    };
    getCustomer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerRecord"];
                };
            };
        };
    };
    eraseCustomer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateCustomer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CustomerRecordPatch"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerRecord"];
                };
            };
        };
    };
    listAddressesOfCustomer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerAddressList"];
                };
            };
        };
    };
    createAddressOfCustomer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CustomerAddressCreate"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerAddress"];
                };
            };
        };
    };
    deleteAddressOfCustomer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
                address_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateAddressOfCustomer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
                address_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CustomerAddressPatch"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerAddress"];
                };
            };
        };
    };
    listCartsOfCustomer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CartOfCustomerList"];
                };
            };
        };
    };
    getCartOfCustomer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
                cart_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CartOfCustomer"];
                };
            };
        };
    };
    exportCustomer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerExport"];
                };
            };
        };
    };
    startCheckout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SeamlessCreate"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Seamless"];
                };
            };
        };
    };
    getCheckoutSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutSession"];
                };
            };
        };
    };
    listOrders: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                /** @description The `next_cursor` of a page. */
                cursor?: string;
                status?: "pending" | "paid" | "cancelled";
                /** @description Finds orders by number, e-mail address, customer's name and SKU, without case and accents; each word may be the beginning of one. Where every word occurs in over 1,000 orders, the latest 2,000 orders are searched. */
                q?: string;
                /** @description One or several of the statuses, separated by commas. */
                payment_status?: string | (string | number)[];
                fulfilment_status?: "unfulfilled" | "partially_fulfilled" | "fulfilled";
                /** @description Placed at or after this time. */
                from?: string;
                /** @description Placed before this time. */
                to?: string;
                /**
                 * @deprecated
                 * @description The former name of `from`.
                 */
                created_from?: string;
                /**
                 * @deprecated
                 * @description The former name of `to`.
                 */
                created_to?: string;
                /** @description Only orders placed or changed after this time, the latest change last. Follow `meta.next_cursor` to the last page, and go on from its `meta.next_updated_since` (of CSV files, from `updated_at` of the last row): no change is missed. */
                updated_since?: string;
                customer_id?: number;
                email?: string;
                number?: number;
                /** @description Orders that redeemed this promotion; cancelled ones no longer do. */
                promotion_id?: number;
                /** @description Only archived orders, or only open ones. */
                archived?: boolean;
                /** @description Orders with exactly this tag. */
                tag?: string;
                /** @description `newest` by default; with `updated_since` it is `updated`, the latest change last. `total_desc` and `total_asc` compare `grand_total` in minor units, whatever its currency. */
                sort?: "newest" | "oldest" | "total_desc" | "total_asc" | "updated";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderList"];
                    "text/csv": string;
                };
            };
        };
    };
    placeOrder: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrderCreate"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Order"];
                };
            };
        };
    };
    reportOrderPayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentReport"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Order"];
                };
            };
        };
    };
    cancelOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Order"];
                };
            };
        };
    };
    listOrderRefunds: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefundList"];
                };
            };
        };
    };
    refundOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RefundCreate"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refund"];
                };
            };
        };
    };
    getOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Order"];
                };
            };
        };
    };
    updateOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["OrderPatch"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Order"];
                };
            };
        };
    };
    listCustomerOrders: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                /** @description The `next_cursor` of a page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerOrderList"];
                };
            };
        };
    };
    getCustomerOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerOrder"];
                };
            };
        };
    };
    changeOrders: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrderBulkRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderBulkResult"];
                };
            };
        };
    };
    getOrderTimeline: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderTimeline"];
                };
            };
        };
    };
    addOrderNote: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrderNoteCreate"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderTimeline"];
                };
            };
        };
    };
    createFulfilment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["FulfilmentCreate"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Fulfilment"];
                };
            };
        };
    };
    updateFulfilment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                fulfilment_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["FulfilmentPatch"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Fulfilment"];
                };
            };
        };
    };
    eraseOrderBuyer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getInsights: {
        parameters: {
            query?: {
                /** @description The last 24 hours (by hour), or the last 7 or 30 days of UTC (by day), today included. */
                period?: "24h" | "7d" | "30d";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Insights"];
                };
            };
        };
    };
    listAuditRecords: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                /** @description The `next_cursor` of a page. */
                cursor?: string;
                /** @description `platform`, `panel:7` for a person or `application:2` for an application. */
                actor?: string;
                /** @description An operation id of this API, or what a panel calls a change without an endpoint. */
                action?: string;
                /** @description The kind of the changed resource. */
                subject?: string;
                /** @description Changes from this instant on. */
                from?: string;
                /** @description Changes before this instant. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditRecordList"];
                };
            };
        };
    };
    listLoggedCalls: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                /** @description The `next_cursor` of a page. */
                cursor?: string;
                /** @description The class of the status. */
                status?: "2xx" | "3xx" | "4xx" | "5xx";
                method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
                /** @description The path's pattern, as `route` has it. */
                route?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoggedCallList"];
                };
            };
        };
    };
    getLoggedCall: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `X-Request-Id` of the response. */
                request_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoggedCall"];
                };
            };
        };
    };
    getThemeOptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ThemeOptions"];
                };
            };
        };
    };
    updateThemeOptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ThemePatch"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ThemeOptions"];
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description The `next_cursor` of the previous page, also with other `types`; or `latest`, after everything that has happened. Default: the oldest event. */
                after?: string;
                /** @description Comma-separated list of event types. Default: every type that the token may read. */
                types?: string | (string | number)[];
                limit?: number;
                /** @description For how many seconds the call waits for an event when there is none. */
                wait?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventPage"];
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Webhook"][];
                    };
                };
            };
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookCreate"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["WebhookPatch"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
        };
    };
    pingWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                /** @description The `next_cursor` of a page. */
                cursor?: string;
                status?: "pending" | "delivered" | "failed" | "held" | "dead";
                event?: "order.created" | "order.paid" | "order.cancelled" | "order.fulfilled" | "order.tracking_changed" | "order.refunded" | "product.updated" | "category.updated" | "stock.changed" | "customer.created" | "customer.email_changed" | "cart.abandoned" | "ping";
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WebhookDelivery"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
        };
    };
    getWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
                delivery_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryWithRequest"];
                };
            };
        };
    };
    replayWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
                delivery_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
        };
    };
    replayWebhookEvents: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookReplay"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: int64 */
                        replayed: number;
                    };
                };
            };
        };
    };
    getSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Settings"];
                };
            };
        };
    };
    updateSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SettingsChange"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Settings"];
                };
            };
        };
    };
    onOrderCreated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrderCreatedEvent"];
            };
        };
        responses: {
            /** @description Success */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onOrderPaid: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrderPaidEvent"];
            };
        };
        responses: {
            /** @description Success */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onOrderCancelled: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrderCancelledEvent"];
            };
        };
        responses: {
            /** @description Success */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onOrderFulfilled: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrderFulfilledEvent"];
            };
        };
        responses: {
            /** @description Success */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onOrderTrackingChanged: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrderTrackingChangedEvent"];
            };
        };
        responses: {
            /** @description Success */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onOrderRefunded: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrderRefundedEvent"];
            };
        };
        responses: {
            /** @description Success */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onProductUpdated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProductUpdatedEvent"];
            };
        };
        responses: {
            /** @description Success */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCategoryUpdated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CategoryUpdatedEvent"];
            };
        };
        responses: {
            /** @description Success */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onStockChanged: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StockChangedEvent"];
            };
        };
        responses: {
            /** @description Success */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCustomerCreated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CustomerCreatedEvent"];
            };
        };
        responses: {
            /** @description Success */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCustomerEmailChanged: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CustomerEmailChangedEvent"];
            };
        };
        responses: {
            /** @description Success */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCartAbandoned: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CartAbandonedEvent"];
            };
        };
        responses: {
            /** @description Success */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPing: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PingEvent"];
            };
        };
        responses: {
            /** @description Success */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
