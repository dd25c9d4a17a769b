CREATE TABLE `reservation_usage` (
	`tenant_id` integer PRIMARY KEY NOT NULL,
	`day` integer NOT NULL,
	`movements` integer NOT NULL
);
