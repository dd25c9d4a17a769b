ALTER TABLE `applications` ADD `earlier_tokens` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
UPDATE `applications` SET `earlier_tokens` = json_array(json_object('hash', `previous_hash`, 'until', `previous_until`))
WHERE `previous_hash` IS NOT NULL AND `previous_until` IS NOT NULL;--> statement-breakpoint
ALTER TABLE `applications` DROP COLUMN `previous_hash`;--> statement-breakpoint
ALTER TABLE `applications` DROP COLUMN `previous_until`;
