ALTER TABLE `coupon_shoppers` RENAME TO `promotion_shoppers`;--> statement-breakpoint
ALTER TABLE `coupons` RENAME TO `promotions`;--> statement-breakpoint
ALTER TABLE `promotion_shoppers` RENAME COLUMN "coupon_id" TO "promotion_id";--> statement-breakpoint
CREATE TABLE `promotion_redemptions` (
	`tenant_id` integer NOT NULL,
	`order_id` text NOT NULL,
	`promotion_id` integer NOT NULL,
	`shoppers` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `order_id`, `promotion_id`)
);
--> statement-breakpoint
INSERT INTO `promotion_redemptions` (`tenant_id`, `order_id`, `promotion_id`, `shoppers`)
  SELECT `tenant_id`, `order_id`, `coupon_id`, `shoppers` FROM `coupon_uses`;--> statement-breakpoint
DROP TABLE `coupon_uses`;--> statement-breakpoint
DROP INDEX `coupons_code`;--> statement-breakpoint
DROP INDEX `coupons_tenant`;--> statement-breakpoint
DROP INDEX `coupons_deleted`;--> statement-breakpoint
ALTER TABLE `promotions` ADD `name` text DEFAULT '' NOT NULL;--> statement-breakpoint
UPDATE `promotions` SET `name` = `code`;--> statement-breakpoint
ALTER TABLE `promotions` ADD `automatic` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `promotions` ADD `minimum_quantity` integer;--> statement-breakpoint
ALTER TABLE `promotions` ADD `first_order` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `promotions` ADD `buy` integer;--> statement-breakpoint
ALTER TABLE `promotions` ADD `get` integer;--> statement-breakpoint
ALTER TABLE `promotions` ADD `priority` integer DEFAULT 100 NOT NULL;--> statement-breakpoint
ALTER TABLE `promotions` ADD `combinable` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `promotions` ADD `active` integer DEFAULT true NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `promotions_code` ON `promotions` (`tenant_id`,`code_key`) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `promotions_tenant` ON `promotions` (`tenant_id`,`id`);--> statement-breakpoint
CREATE INDEX `promotions_automatic` ON `promotions` (`tenant_id`,`priority`,`id`) WHERE automatic AND active AND deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `promotions_deleted` ON `promotions` (`deleted_at`) WHERE deleted_at IS NOT NULL;--> statement-breakpoint
ALTER TABLE `order_lines` ADD `discounts` text;--> statement-breakpoint
ALTER TABLE `orders` ADD `promotions` text;