-- Every id comes from a sequence: those of a shard are in its range (src/kernel/data/ids.ts).
INSERT INTO `sequences` (`name`, `value`) VALUES ('item', 0), ('category', 0) ON CONFLICT DO NOTHING;
--> statement-breakpoint
INSERT INTO `sequences` (`name`, `value`) VALUES
  ('customer', coalesce((SELECT `seq` FROM `sqlite_sequence` WHERE `name` = 'customers'), 0)),
  ('application', coalesce((SELECT `seq` FROM `sqlite_sequence` WHERE `name` = 'applications'), 0)),
  ('promotion', coalesce((SELECT `seq` FROM `sqlite_sequence` WHERE `name` = 'promotions'), 0)),
  ('webhook', coalesce((SELECT `seq` FROM `sqlite_sequence` WHERE `name` = 'webhooks'), 0)),
  ('slot', coalesce((SELECT `seq` FROM `sqlite_sequence` WHERE `name` = 'slots'), 0));
--> statement-breakpoint
-- Also for rows that bring their id: imported ones, and those of the release before, while this one is deployed.
CREATE TRIGGER `products_sequence` AFTER INSERT ON `products` BEGIN
  UPDATE `sequences` SET `value` = new.`id`
  WHERE `name` = 'item' AND `value` < new.`id` AND `value` >> 38 = new.`id` >> 38;
END;
--> statement-breakpoint
CREATE TRIGGER `variants_sequence` AFTER INSERT ON `variants` BEGIN
  UPDATE `sequences` SET `value` = new.`id`
  WHERE `name` = 'item' AND `value` < new.`id` AND `value` >> 38 = new.`id` >> 38;
END;
--> statement-breakpoint
CREATE TRIGGER `categories_sequence` AFTER INSERT ON `categories` BEGIN
  UPDATE `sequences` SET `value` = new.`id`
  WHERE `name` = 'category' AND `value` < new.`id` AND `value` >> 38 = new.`id` >> 38;
END;
--> statement-breakpoint
CREATE TRIGGER `customers_sequence` AFTER INSERT ON `customers` BEGIN
  UPDATE `sequences` SET `value` = new.`id`
  WHERE `name` = 'customer' AND `value` < new.`id` AND `value` >> 38 = new.`id` >> 38;
END;
--> statement-breakpoint
CREATE TRIGGER `applications_sequence` AFTER INSERT ON `applications` BEGIN
  UPDATE `sequences` SET `value` = new.`id`
  WHERE `name` = 'application' AND `value` < new.`id` AND `value` >> 38 = new.`id` >> 38;
END;
--> statement-breakpoint
CREATE TRIGGER `promotions_sequence` AFTER INSERT ON `promotions` BEGIN
  UPDATE `sequences` SET `value` = new.`id`
  WHERE `name` = 'promotion' AND `value` < new.`id` AND `value` >> 38 = new.`id` >> 38;
END;
--> statement-breakpoint
CREATE TRIGGER `webhooks_sequence` AFTER INSERT ON `webhooks` BEGIN
  UPDATE `sequences` SET `value` = new.`id`
  WHERE `name` = 'webhook' AND `value` < new.`id` AND `value` >> 38 = new.`id` >> 38;
END;
--> statement-breakpoint
CREATE TRIGGER `slots_sequence` AFTER INSERT ON `slots` BEGIN
  UPDATE `sequences` SET `value` = new.`id`
  WHERE `name` = 'slot' AND `value` < new.`id` AND `value` >> 38 = new.`id` >> 38;
END;