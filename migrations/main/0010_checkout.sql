CREATE TABLE `checkout_sessions` (
	`digest` text PRIMARY KEY NOT NULL,
	`tenant_id` integer NOT NULL,
	`order_id` text NOT NULL,
	`cart_id` text NOT NULL,
	`cart_version` integer NOT NULL,
	`reservation_id` integer NOT NULL,
	`status` text NOT NULL,
	`provider` text NOT NULL,
	`origin` text NOT NULL,
	`return_url` text NOT NULL,
	`cancel_url` text,
	`snapshot` text NOT NULL,
	`pricing` text NOT NULL,
	`buyer` text NOT NULL,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `checkout_sessions_cart` ON `checkout_sessions` (`tenant_id`,`cart_id`) WHERE status = 'open';--> statement-breakpoint
CREATE INDEX `checkout_sessions_order` ON `checkout_sessions` (`tenant_id`,`order_id`);--> statement-breakpoint
CREATE INDEX `checkout_sessions_age` ON `checkout_sessions` (`expires_at`);