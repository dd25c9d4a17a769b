CREATE TABLE `search_documents` (
	`product_id` integer PRIMARY KEY NOT NULL,
	`tenant_id` integer NOT NULL,
	`version` integer DEFAULT 0 NOT NULL,
	`sequence` integer NOT NULL,
	`place` integer,
	`digest` text,
	`item` text
);
--> statement-breakpoint
CREATE INDEX `search_documents_tenant` ON `search_documents` (`tenant_id`,`product_id`);--> statement-breakpoint
CREATE INDEX `search_documents_gone` ON `search_documents` (`sequence`) WHERE place IS NULL;--> statement-breakpoint
CREATE TABLE `search_progress` (
	`tenant_id` integer PRIMARY KEY NOT NULL,
	`sequence` integer NOT NULL,
	`version` integer NOT NULL,
	`run` text,
	`again` integer DEFAULT 0 NOT NULL,
	`run_at` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `search_spellings` (
	`tenant_id` integer NOT NULL,
	`word` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `word`)
);
--> statement-breakpoint
-- Below: what the schema generator does not know, written by hand.
CREATE VIRTUAL TABLE `search_index` USING fts5(
	terms,
	content='',
	contentless_delete=1,
	detail=none,
	tokenize='ascii',
	prefix='8 9 10 11 12 13 14 15 16 17 18 19'
);
