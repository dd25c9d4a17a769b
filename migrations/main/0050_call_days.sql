CREATE TABLE `call_days` (
	`tenant_id` integer NOT NULL,
	`start` integer NOT NULL,
	`application_id` integer NOT NULL,
	`calls` integer NOT NULL,
	`client_errors` integer NOT NULL,
	`server_errors` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `start`, `application_id`)
);
--> statement-breakpoint
CREATE INDEX `call_days_age` ON `call_days` (`start`);
--> statement-breakpoint
INSERT INTO `call_days` (`tenant_id`, `start`, `application_id`, `calls`, `client_errors`, `server_errors`)
SELECT `tenant_id`, `start` - `start` % 86400000, `application_id`, sum(`calls`), sum(`client_errors`), sum(`server_errors`)
FROM `call_hours` WHERE true GROUP BY 1, 2, 3;
