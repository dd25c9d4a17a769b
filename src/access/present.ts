import { iso, isoOrNull } from '../kernel/core/clock.ts';
import type { ApplicationRow } from './tables.ts';

/** Returns the API representation of an application, without its token. */
export const presentApplication = (row: ApplicationRow) => ({
  id: row.id,
  name: row.name,
  kind: row.kind,
  agent_profile: row.agentProfile,
  status: row.status,
  scopes: row.scopes,
  server_side: row.serverSide,
  allowed_origins: row.allowedOrigins,
  rate_limit_per_minute: row.rateLimitPerMinute,
  expires_at: isoOrNull(row.expiresAt),
  last_used_at: isoOrNull(row.lastUsedAt),
  created_at: iso(row.createdAt),
});
