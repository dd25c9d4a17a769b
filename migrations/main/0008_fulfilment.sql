CREATE TABLE `order_timeline` (
	`tenant_id` integer NOT NULL,
	`order_id` text NOT NULL,
	`id` integer NOT NULL,
	`at` integer NOT NULL,
	`type` text NOT NULL,
	`actor_kind` text NOT NULL,
	`actor_id` text,
	`details` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `order_id`, `id`)
);
