-- Keeps listing_counts, so that no list has to count its rows.
CREATE TRIGGER `listing_counted_in` AFTER INSERT ON `product_listings` BEGIN
  INSERT INTO `listing_counts` (`tenant_id`, `currency`, `category_id`, `status`, `total`)
  VALUES (new.`tenant_id`, new.`currency`, new.`category_id`, new.`status`, 1)
  ON CONFLICT (`tenant_id`, `currency`, `category_id`, `status`) DO UPDATE SET `total` = `total` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `listing_counted_out` AFTER DELETE ON `product_listings` BEGIN
  UPDATE `listing_counts` SET `total` = `total` - 1
  WHERE `tenant_id` = old.`tenant_id` AND `currency` = old.`currency`
    AND `category_id` = old.`category_id` AND `status` = old.`status`;
END;
