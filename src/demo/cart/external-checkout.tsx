import type { Outcome, PageRequest } from '../../web/index.ts';
import { shopDocument } from '../frame/document.tsx';

/**
 * Leads to a checkout on another host. Not by a redirect: browsers let a form lead only to hosts that the policy of
 * its page names, which is this one alone.
 */
export function leaveForCheckout({ c }: PageRequest, url: string): Outcome {
  c.header('Refresh', `0;url=${url}`);
  const body = (
    <div class="entry">
      <p class="lead">This shop has a checkout of its own, which opens now.</p>
      <p>
        <a class="button" href={url}>
          Continue to checkout
        </a>
      </p>
    </div>
  );
  return { view: { title: 'Checkout', body, document: shopDocument } };
}
