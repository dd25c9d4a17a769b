import type { Child } from 'hono/jsx';
import { type Link, mayOpen, type PageRequest } from '../page.ts';

interface ActionLinkProps {
  readonly request: PageRequest;
  readonly href: string;
  /** The link's look: a button's classes, or none for a plain link. */
  readonly class?: string;
  /** The accessible name, where the text alone does not name the subject. */
  readonly about?: string;
  readonly children: Child;
}

/** A link to a page that changes something, left out for a user whose role doesn't suffice for it. */
export const ActionLink = ({ request, href, about, children, ...look }: ActionLinkProps) =>
  mayOpen(request, href) ? (
    <a href={href} class={look.class} aria-label={about}>
      {children}
    </a>
  ) : null;

/** Links to views of the same subject, such as periods or sections; the current one is marked. */
export const Tabs = ({ label, here, links }: { label: string; here: string; links: readonly Link[] }) => (
  <nav class="tabs" aria-label={label}>
    {links.map(([href, text]) => (
      <a href={href} aria-current={href === here ? 'page' : undefined}>
        {text}
      </a>
    ))}
  </nav>
);

/** Fields of a form under a title, as a card. */
export const FieldCard = ({ title, children }: { title: string; children?: Child }) => (
  <fieldset class="card">
    <legend>{title}</legend>
    {children}
  </fieldset>
);

interface SectionProps {
  readonly id: string;
  readonly title: string;
  /** Whether it is a card. */
  readonly card?: boolean;
  readonly children?: Child;
}

/** A part of a page under a heading of its own. */
export const Section = ({ id, title, card, children }: SectionProps) => (
  <section class={card ? 'card' : undefined} aria-labelledby={id}>
    <h2 id={id}>{title}</h2>
    {children}
  </section>
);

/** Shown in place of a list without entries: what belongs here, and how to make the first. */
export const Empty = ({ title, text, action }: { title: string; text: string; action?: Link }) => (
  <div class="empty">
    <h2>{title}</h2>
    <p>{text}</p>
    {action && (
      <a class="button" href={action[0]}>
        {action[1]}
      </a>
    )}
  </div>
);
