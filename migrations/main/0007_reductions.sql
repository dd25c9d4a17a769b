-- Products that were below their regular price when `reduced_from` came.
UPDATE products SET reduced_from = json_object(t.currency, products.regular_price)
  FROM tenants t
  WHERE t.id = products.tenant_id AND products.regular_price > products.prices ->> t.currency;
