/** The scripts of single components, beside panel.js; each improves a component that works without it. */
export type ScriptName = 'pickers' | 'print' | 'rows' | 'theme' | 'tree';

/** Loads the script of a component, once a page: the browser runs a module once however often it is named. */
export const Script = ({ name }: { name: ScriptName }) => (
  <script src={`/panel-assets/${name}.js`} type="module"></script>
);
