CREATE TABLE `search_progress` (
	`tenant_id` integer PRIMARY KEY NOT NULL,
	`sequence` integer NOT NULL,
	`version` integer NOT NULL,
	`run` text,
	`again` integer DEFAULT 0 NOT NULL,
	`run_at` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE `search_documents` ADD `version` integer DEFAULT 0 NOT NULL;