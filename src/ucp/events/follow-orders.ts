import { z } from 'zod';
import { followPlatform } from '../../webhooks/index.ts';
import type { UcpContext } from '../context.ts';
import { siteOf } from '../platforms/site.ts';
import { profileUri } from '../profile/business-profile.ts';
import { UCP_VERSION } from '../protocol/version.ts';

const ORDER = 'dev.ucp.shopping.order';

/** The configuration of a platform's order capability. */
const OrderConfig = z.object({ webhook_url: z.url({ protocol: /^https?$/ }).max(2_048) });

/**
 * Makes the platform get the events of the orders that its agent makes here, at the URL that its profile names. Does
 * nothing if the platform has no order capability, or none with a URL. One idempotent write; whether the URL may be
 * called is checked before each delivery.
 */
export async function followOrders(ctx: UcpContext): Promise<void> {
  const { platform, negotiated, agent, tenant, origin } = ctx;
  if (!negotiated.has(ORDER)) return;
  const entry = platform.capabilities[ORDER]?.find(({ version }) => version === UCP_VERSION);
  const config = OrderConfig.safeParse(entry?.config);
  if (!config.success) return;
  const { profile } = agent;
  const [business, site] = [profileUri(tenant, origin), siteOf(profile)];
  await followPlatform(ctx, { profile, business, site, url: config.data.webhook_url });
}
