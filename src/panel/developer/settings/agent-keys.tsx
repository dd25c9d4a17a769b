import { z } from 'zod';
import { iso, now } from '../../../kernel/core/clock.ts';
import { type KeyRow, listKeys, rotateKey } from '../../../ucp/index.ts';
import {
  ActionLink,
  asFormError,
  checked,
  type FormError,
  type Outcome,
  type PageRequest,
  State,
  Table,
  Tick,
  When,
} from '../../../web/index.ts';
import { confirmPages } from '../../confirm.tsx';
import { tenantDatabase } from '../../tenant-database.ts';
import { AGENTS_PATH, SETTINGS_PATH } from './tabs.tsx';

const ROTATE_PATH = `${AGENTS_PATH}/rotate-key` as const;

/** Reads the keys that the profile publishes. */
export const publishedKeys = (request: PageRequest): Promise<KeyRow[]> => listKeys(tenantDatabase(request));

/** Returns what a key is for now: one signs, later ones are announced, earlier ones still verify. */
function stateOf(key: KeyRow, keys: readonly KeyRow[]): string {
  const signing = keys.findLast(({ signsFrom }) => signsFrom <= now()) ?? keys[0];
  if (key === signing) return 'signs';
  return key.signsFrom > now() ? 'announced' : 'verifies only';
}

/** The keys with which the shop signs, and the link to rotate them for who may. */
export const AgentKeys = ({ request, keys }: { request: PageRequest; keys: readonly KeyRow[] }) => (
  <>
    <h2>Signing keys</h2>
    <p class="hint">
      Agents verify what this shop sends with the keys in its profile. The first key is made when an agent
      reads the profile.
    </p>
    <Table
      label="Signing keys"
      head={['Key', 'State', 'Signs from', 'Published until']}
      rows={keys.map((key) => [
        <code>{key.kid}</code>,
        <State is={stateOf(key, keys)} />,
        <When at={iso(key.signsFrom)} />,
        key.endsAt === null ? 'eight days after its rotation' : <When at={iso(key.endsAt)} />,
      ])}
      empty={<p>No agent has read the profile yet.</p>}
    />
    {keys.length > 0 && (
      <p>
        <ActionLink request={request} href={ROTATE_PATH} class="button secondary">
          Rotate key
        </ActionLink>
      </p>
    )}
  </>
);

/** Returns the newest key that the question is about: as it was first shown, while it is shown again. */
const newestKey = async (request: PageRequest): Promise<string | undefined> =>
  request.sent.after?.[0] ?? (await publishedKeys(request)).at(-1)?.kid;

const rotationPage = async (request: PageRequest, formError: FormError | null) => ({
  title: 'Rotate the signing key?',
  trail: [[SETTINGS_PATH, 'Settings'] as const, [AGENTS_PATH, 'Agents'] as const],
  body: (
    <p>
      The new key is published at once and signs in an hour, when every copy of the profile has it. The
      current key signs until then and stays published for eight more days, so nothing that was signed becomes
      invalid.
    </p>
  ),
  fields: (
    <>
      <input type="hidden" name="after" value={await newestKey(request)} />
      <Tick
        f={{ request, formError }}
        name="compromised"
        label="The current key is compromised: end all keys now"
        on={false}
      />
    </>
  ),
  submit: 'Rotate key',
  keep: [AGENTS_PATH, 'Keep the current key'] as const,
});

/** `after` is the newest key that the question was shown with: sent twice, the form rotates once. */
const RotateForm = z.object({ compromised: checked, after: z.string().optional() });

/** Rotates the key, recorded in the audit log. */
async function rotate(request: PageRequest, rotation: z.output<typeof RotateForm>): Promise<Outcome> {
  const change = await request.audited({
    action: 'rotateSigningKey',
    subject: { kind: 'settings', id: null, name: 'agents' },
    changes: rotation.compromised ? [{ field: 'compromised', new: 'true' }] : [],
  });
  const { env } = change;
  const place = { env, ...tenantDatabase({ env, tenant: request.tenant }) };
  const rotated = await rotateKey(place, rotation);
  if (!rotated.ok || rotated.value === null) await change.discard();
  if (rotated.ok) return { to: AGENTS_PATH, note: 'created' };
  return asFormError(rotated.failure.message ?? 'The key was not rotated.', 409);
}

/** The question about a new key, and its action. */
export const rotateKeyPages = confirmPages(
  { path: ROTATE_PATH, audience: 'developer', needs: 'owner', form: RotateForm },
  rotationPage,
  rotate,
);
