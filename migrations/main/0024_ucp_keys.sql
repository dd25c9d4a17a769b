CREATE TABLE `ucp_keys` (
	`tenant_id` integer NOT NULL,
	`kid` text NOT NULL,
	`public_key` text NOT NULL,
	`private_key` text NOT NULL,
	`created_at` integer NOT NULL,
	`signs_from` integer NOT NULL,
	`ends_at` integer,
	PRIMARY KEY(`tenant_id`, `kid`)
);
--> statement-breakpoint
CREATE INDEX `ucp_keys_ended` ON `ucp_keys` (`ends_at`) WHERE ends_at IS NOT NULL;