CREATE TABLE `import_errors` (
	`import_id` text NOT NULL,
	`n` integer NOT NULL,
	`tenant_id` integer NOT NULL,
	`line` integer NOT NULL,
	`sku` text,
	`field` text,
	`message` text NOT NULL,
	PRIMARY KEY(`import_id`, `n`)
);
