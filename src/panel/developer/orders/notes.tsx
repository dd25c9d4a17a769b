import { z } from 'zod';
import type { Order } from '../../../orders/index.ts';
import { Area, type Filled, Form, lines, normalText, Section } from '../../../web/index.ts';
import type { EditPart } from '../../editing/changes.ts';
import { EditedParts } from '../../editing/save-edit.tsx';
import { listPath } from './list/order-filters.tsx';

/** The form of a note, and that of the tags. */
export const NoteForm = z.object({ text: z.string().transform(normalText) });
export const TagsForm = z.object({ tags: lines });

/** The part of an order that the form of its tags edits. */
export const TAG_PARTS: readonly EditPart<Order>[] = [
  { key: 'tags', label: 'Tags', of: ({ tags }) => tags.map((tag) => tag.trim()) },
];

interface Props {
  readonly f: Filled;
  readonly order: Order;
  /** The path of the order's page. */
  readonly here: string;
}

/** The tags of an order, each a link to the orders that have it, and the form that changes them. */
export const Tags = ({ f, order, here }: Props) => (
  <Section id="tags" title="Tags" card>
    {order.tags.length > 0 && (
      <p>
        {order.tags.map((tag) => (
          <>
            <a class="state" href={listPath({ tag })}>
              {tag}
            </a>{' '}
          </>
        ))}
      </p>
    )}
    <Form request={f.request} action={`${here}/tags`} submit="Save tags" bare>
      <EditedParts f={f} parts={TAG_PARTS} stored={order} />
      <Area
        f={f}
        name="tags"
        label="Tags of this order"
        value={order.tags.join('\n')}
        hint="One per line, such as VIP or gift"
      />
    </Form>
  </Section>
);

/** The form that adds a note to the timeline. */
export const AddNote = ({ f, here }: Omit<Props, 'order'>) => (
  <Section id="note" title="Note" card>
    <Form request={f.request} action={`${here}/notes`} submit="Add note" bare>
      <Area
        f={f}
        name="text"
        label="Note to your colleagues"
        hint="Shown in the timeline. The customer never sees it"
        required
        maxlength={500}
      />
    </Form>
  </Section>
);
