CREATE TABLE `panel_guesses` (
	`source` text PRIMARY KEY NOT NULL,
	`until` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `panel_guesses_age` ON `panel_guesses` (`until`);--> statement-breakpoint
CREATE TABLE `panel_sessions` (
	`hash` text PRIMARY KEY NOT NULL,
	`user_id` integer,
	`until` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `panel_sessions_user` ON `panel_sessions` (`user_id`);--> statement-breakpoint
CREATE INDEX `panel_sessions_age` ON `panel_sessions` (`until`);--> statement-breakpoint
CREATE TABLE `panel_users` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`tenant_id` integer NOT NULL,
	`email` text NOT NULL,
	`name` text NOT NULL,
	`password_hash` text,
	`invite_hash` text,
	`invite_until` integer,
	`invited_at` integer NOT NULL,
	`accepted_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `panel_users_inviteHash_unique` ON `panel_users` (`invite_hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `panel_users_email` ON `panel_users` (`tenant_id`,`email`);--> statement-breakpoint
CREATE INDEX `panel_users_sign_in` ON `panel_users` (`email`);