import { iso, now } from '../../kernel/core/clock.ts';
import {
  Area,
  Checks,
  Choice,
  Empty,
  Facts,
  Field,
  getPage,
  type Page,
  type PageRequest,
  Secret,
  State,
  Table,
  Tabs,
  Use,
  When,
} from '../../web/index.ts';
import { at } from './at.ts';

const HERE = '/admin/design';

const Buttons = () => (
  <section class="card">
    <h2>Buttons</h2>
    <p class="hint">One primary action a page. Danger only where something is lost.</p>
    <div class="actions">
      <button type="button">Primary</button>
      <button type="button" class="secondary">
        Secondary
      </button>
      <button type="button" class="quiet">
        Quiet
      </button>
      <button type="button" class="danger">
        Danger
      </button>
      <button type="button" class="quiet danger">
        Quiet danger
      </button>
      <button type="button" disabled>
        Disabled
      </button>
    </div>
  </section>
);

const Signs = () => (
  <section class="card">
    <h2>States and text</h2>
    <p>
      <State is="active" /> <State is="pending" /> <State is="partially_refunded" /> <State is="failed" />
    </p>
    <p>
      Text, <a href={HERE}>a link to this page</a>, <code>code</code>, <span class="hint">a hint</span>,{' '}
      <b class="error">an error</b>, <When at={iso(now())} />
    </p>
    <p>
      <Use used={720} of={1200} label="Requests in the last minute" />
    </p>
    <h3>Heading of a part</h3>
    <p class="lead">A lead says in a sentence what a page is for.</p>
  </section>
);

const Messages = () => (
  <>
    <h2>Messages</h2>
    <p class="note">Neutral: something to know.</p>
    <p class="note good">Good: what was done.</p>
    <p class="note warn">Warning: what needs attention.</p>
    <p class="note bad">Bad: what went wrong, and what to do.</p>
  </>
);

const Lists = () => (
  <>
    <h2>Lists</h2>
    <Table
      label="Example orders"
      head={['Order', 'Placed', 'Status', 'Total']}
      figures={[3]}
      rows={[
        [<a href={HERE}>1002</a>, <When at={iso(now())} />, <State is="paid" />, '€64.00'],
        [<a href={HERE}>1001</a>, <When at={iso(now())} />, <State is="cancelled" />, '€12.50'],
      ]}
    />
    <Facts of={{ Customer: 'Mila Novak', Payment: <State is="paid" />, Shipping: 'Standard' }} />
    <Empty
      title="No orders yet"
      text="Orders appear here when a shopper checks out."
      action={[HERE, 'Open the shop']}
    />
  </>
);

const EXAMPLE_ERROR = {
  message: 'Correct the marked fields.',
  errors: { price: ['must be at least 0'] },
  status: 422,
};

const ExampleForm = ({ request }: { request: PageRequest }) => {
  const f = { request, formError: EXAMPLE_ERROR };
  return (
    <div class="stack">
      <div class="pair">
        <Field f={f} name="name" label="Name" value="Enamel Cup" required />
        <Field f={f} name="price" label="Price (EUR)" value="-1" hint="Tax is included" />
      </div>
      <Choice
        f={f}
        name="status"
        label="Status"
        value="active"
        options={[
          ['active', 'Active'],
          ['inactive', 'Inactive'],
        ]}
      />
      <Area f={f} name="description" label="Description" />
      <Checks
        f={f}
        name="events"
        legend="Events"
        options={['order.created', 'order.paid']}
        checked={['order.paid']}
      />
    </div>
  );
};

/** Shows the components of the panels, made by the components themselves. docs/design.md says when to use which. */
const designPage = async (request: PageRequest) => {
  const body = (
    <>
      <Tabs
        label="Example views"
        here={HERE}
        links={[
          [HERE, 'Components'],
          ['/admin/health', 'Health'],
        ]}
      />
      <div class="beside">
        <Buttons />
        <Signs />
      </div>
      <Messages />
      <Lists />
      <h2>Forms</h2>
      <div class="beside">
        <ExampleForm request={request} />
        <section class="card">
          <h2>A secret, shown once</h2>
          <Secret label="Token" value="sfe_0000000000000000" />
        </section>
      </div>
    </>
  );
  return { title: 'Design', body, actions: [['/admin/health', 'Secondary action']] as const };
};

/** The page that shows every component of the panels. */
export const designPages: readonly Page[] = [getPage(at(HERE), designPage)];
