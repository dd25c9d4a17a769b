DROP TABLE `import_chunks`;--> statement-breakpoint
CREATE TABLE `import_chunks` (
	`import_id` text NOT NULL,
	`n` integer NOT NULL,
	`tenant_id` integer NOT NULL,
	`base64` text NOT NULL,
	PRIMARY KEY(`import_id`, `n`)
);
