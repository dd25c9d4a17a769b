CREATE TABLE `feeds` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` integer NOT NULL,
	`format` text NOT NULL,
	`hour_started_at` integer DEFAULT 0 NOT NULL,
	`files_in_hour` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `feeds_tenant` ON `feeds` (`tenant_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `customer_terms` (
	`tenant_id` integer NOT NULL,
	`term` text NOT NULL,
	`customer_id` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `term`, `customer_id`)
);
--> statement-breakpoint
CREATE INDEX `customer_terms_customer` ON `customer_terms` (`tenant_id`,`customer_id`);--> statement-breakpoint
CREATE TABLE `customer_addresses` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` integer NOT NULL,
	`customer_id` integer NOT NULL,
	`label` text,
	`address` text NOT NULL,
	`is_default` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `customer_addresses_customer` ON `customer_addresses` (`tenant_id`,`customer_id`,`created_at`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `customer_addresses_default` ON `customer_addresses` (`tenant_id`,`customer_id`) WHERE is_default = 1;--> statement-breakpoint
CREATE INDEX `inventory_live` ON `inventory_items` (`tenant_id`,`id`) WHERE feed = 'live';--> statement-breakpoint
CREATE INDEX `customers_newest` ON `customers` (`tenant_id`,`id`) WHERE erased_at IS NULL;--> statement-breakpoint
-- Below: what the schema generator does not know, written by hand.
CREATE TRIGGER `quota_feeds_in` AFTER INSERT ON `feeds` BEGIN
  INSERT INTO `quota_counts` (`tenant_id`, `quota`, `total`) VALUES (new.`tenant_id`, 'feeds', 1)
  ON CONFLICT (`tenant_id`, `quota`) DO UPDATE SET `total` = `total` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `quota_feeds_out` AFTER DELETE ON `feeds` BEGIN
  UPDATE `quota_counts` SET `total` = `total` - 1 WHERE `tenant_id` = old.`tenant_id` AND `quota` = 'feeds';
END;
--> statement-breakpoint
-- Customers who exist already: ASCII folding until their next change of name or e-mail.
INSERT OR IGNORE INTO `customer_terms` (`tenant_id`, `term`, `customer_id`)
WITH `known` AS (SELECT `tenant_id`, `id`, `email`,
    '["' || replace(replace(replace(replace(replace(replace(replace(replace(lower(`name` || ' ' || `email`),
      '\', ' '), '"', ' '), '.', ' '), '-', ' '), '_', ' '), '+', ' '), '@', ' '), ' ', '","') || '"]' AS `words`
  FROM `customers` WHERE `erased_at` IS NULL)
SELECT `tenant_id`, substr(word.value, 1, 64), `known`.`id` FROM `known`,
  json_each(iif(json_valid(`words`), `words`, '[]')) word WHERE word.value <> ''
UNION ALL SELECT `tenant_id`, `email`, `id` FROM `known`;
