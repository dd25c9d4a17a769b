CREATE TABLE `tenant_hosts` (
	`host` text PRIMARY KEY NOT NULL,
	`tenant_id` integer NOT NULL,
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `tenant_hosts_tenant` ON `tenant_hosts` (`tenant_id`);