ALTER TABLE `placements` ADD `next` text;--> statement-breakpoint
ALTER TABLE `placements` ADD `next_epoch` integer;