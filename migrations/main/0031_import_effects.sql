CREATE TABLE `import_effects` (
	`import_id` text NOT NULL,
	`kind` text NOT NULL,
	`key` text NOT NULL,
	`tenant_id` integer NOT NULL,
	`value` text,
	PRIMARY KEY(`import_id`, `kind`, `key`)
);
