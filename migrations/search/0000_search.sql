CREATE TABLE `search_documents` (
	`product_id` integer PRIMARY KEY NOT NULL,
	`tenant_id` integer NOT NULL,
	`sequence` integer NOT NULL,
	`place` integer,
	`digest` text,
	`item` text
);
--> statement-breakpoint
CREATE INDEX `search_documents_tenant` ON `search_documents` (`tenant_id`,`product_id`);--> statement-breakpoint
CREATE TABLE `search_spellings` (
	`tenant_id` integer NOT NULL,
	`word` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `word`)
);
