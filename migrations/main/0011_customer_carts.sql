CREATE TABLE `customer_carts` (
	`tenant_id` integer NOT NULL,
	`customer_id` integer NOT NULL,
	`cart_id` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `customer_id`, `cart_id`)
);
