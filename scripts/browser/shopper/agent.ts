import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type JourneyContext, pressButton } from '../journey-context.ts';

const ASSISTANT = join(import.meta.dirname, '../../agent/agent.ts');

/** How long (s) the assistant waits for the payment. */
const PAYMENT_WAIT_S = 90;

/** `npm run agent` while it runs: reads its output line by line. */
class Assistant {
  readonly #process;
  readonly #lines;
  /** The lines that were not asked for yet: events arrive between the others. */
  readonly #unread: string[] = [];

  constructor(shop: string) {
    const args = [ASSISTANT, '--shop', shop, '--wait', String(PAYMENT_WAIT_S)];
    this.#process = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    this.#lines = createInterface(this.#process.stdout)[Symbol.asyncIterator]();
  }

  /** Returns what follows `label` on the next line that begins with it. Throws if the assistant ends before. */
  async says(label: string): Promise<string> {
    for (;;) {
      const found = this.#unread.findIndex((line) => line.startsWith(label));
      const [said] = found < 0 ? [] : this.#unread.splice(found, 1);
      if (said !== undefined) return said.slice(label.length).trim();
      const line = await this.#lines.next();
      if (line.done) throw new Error(`The assistant never said "${label}":\n${this.#unread.join('\n')}`);
      this.#unread.push(line.value);
    }
  }

  stop(): void {
    this.#process.kill();
  }
}

/**
 * A shopper's assistant fills a cart by the Universal Commerce Protocol; the shopper opens its link, finds what it
 * has gathered, and pays; the assistant sees the order, and verifies its event with a key of the shop's profile.
 */
export async function agentShopper({ service, open, inspect }: JourneyContext): Promise<void> {
  const assistant = new Assistant(`${service.base}/ucp/demo`);
  try {
    assert.equal(await assistant.says('Status:'), 'requires_escalation');
    const page = await open();
    await page.goto(await assistant.says('Pay here:'));
    await page.getByRole('heading', { name: 'Your order' }).waitFor();
    for (const [label, value] of [
      ['E-mail', 'ada@example.com'],
      ['First name', 'Ada'],
      ['Street and number', 'Torstraße 1'],
      ['Postal code', '10119'],
      ['City', 'Berlin'],
      ['Country', 'DE'],
    ] as const) {
      assert.equal(await page.getByLabel(label, { exact: true }).inputValue(), value, label);
    }
    assert.ok(await page.getByRole('radio', { name: 'Parcel' }).isChecked());
    await inspect(page, 'checkout-by-agent');
    await pressButton(page, /^Pay/);
    assert.equal(await assistant.says('Status:'), 'completed');
    const [number, permalink] = (await assistant.says('Order ')).split(': ');
    assert.ok(number && permalink);
    const event = await assistant.says('Event verified:');
    assert.match(event, new RegExp(`^order ${number} .+, signed with sfe-\\w+ of the shop's profile$`));
    await inspect(page, 'checkout-by-agent-paid');
    await page.goto(permalink);
    await page.getByText(`Your order ${number.replace('#', '')} is paid.`).waitFor();
    await inspect(page, 'order-by-agent');
    console.log(`An assistant bought order ${number} for its shopper.`);
  } finally {
    assistant.stop();
  }
}
