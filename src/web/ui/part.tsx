import { createContext, useContext } from 'hono/jsx';

/**
 * The components with a stylesheet or a script of their own below scripts/panel/parts: [stylesheet, script].
 * Their scripts improve what works without them.
 */
const PARTS = {
  bulk: [false, true],
  charts: [true, false],
  code: [true, false],
  copy: [true, true],
  drag: [false, true],
  file: [true, false],
  filters: [true, false],
  grouped: [true, false],
  pickers: [true, true],
  plain: [true, false],
  progress: [false, true],
  print: [false, true],
  products: [true, false],
  rows: [true, true],
  select: [true, true],
  shelf: [true, false],
  start: [true, false],
  stats: [true, false],
  theme: [true, true],
  timeline: [true, false],
  totals: [true, false],
  tree: [true, true],
  unsaved: [false, true],
} as const;

export type PartName = keyof typeof PARTS;

/** The parts that the page being rendered uses. */
export const UsedParts = createContext(new Set<PartName>());

/** Makes the page load a component's stylesheet and script, once however often it is used. */
export const Part = ({ name }: { name: PartName }) => {
  useContext(UsedParts).add(name);
  return null;
};

/** The links to the stylesheets and scripts of the used parts, for the head of the page. */
export const PartLinks = ({ used }: { used: ReadonlySet<PartName> }) => (
  <>
    {[...used].map((name) => (
      <>
        {PARTS[name][0] && <link rel="stylesheet" href={`/panel-assets/${name}.css`} />}
        {PARTS[name][1] && <script src={`/panel-assets/${name}.js`} defer></script>}
      </>
    ))}
  </>
);
