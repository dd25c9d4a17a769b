import { fail, type Result } from '../../kernel/core/result.ts';
import { mergedMetadata, metadataFits } from '../../kernel/data/metadata-column.ts';
import type { TenantContext } from '../../kernel/data/tenant-context.ts';
import { canonicalJson } from '../../kernel/text/canonical-json.ts';
import { mergeMetadata } from '../../kernel/values/metadata.ts';
import type { CustomerRecordPatch } from '../schemas.ts';
import { customerById } from '../store.ts';
import type { CustomerRow } from '../tables.ts';
import { changeCustomer } from '../write-account.ts';

/**
 * Changes what a tenant may change of a customer, in one write; writes nothing if nothing changes. Fails with 422 for too
 * much metadata, with `conflict` when it is only together with what another request adds, or when a new name meets a new
 * e-mail, and with `customer_not_found`.
 */
export async function changeRecord(
  ctx: TenantContext,
  id: number,
  { name, phone, metadata }: CustomerRecordPatch,
): Promise<Result<CustomerRow>> {
  const before = await customerById(ctx, id);
  if (!before) return fail('customer_not_found');
  const merged = mergeMetadata(before.metadata, metadata);
  if (!merged.ok) return merged;
  const isKept = metadata === undefined || canonicalJson(merged.value) === canonicalJson(before.metadata);
  const column = isKept ? {} : { metadata: mergedMetadata(metadata) };
  return changeCustomer(ctx, before, {
    changes: { name, phone, ...column },
    session: null,
    condition: isKept ? undefined : metadataFits(metadata),
  });
}
