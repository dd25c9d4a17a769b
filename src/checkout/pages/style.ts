import { type ThemeStyle, themeProperties } from '../../theme/index.ts';

/** Returns the CSS of the checkout pages in a tenant's colours and font. */
export const styleOf = (theme: ThemeStyle): string => themeProperties(theme) + RULES;

const RULES = `*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--text);font:1rem/1.5 var(--font)}
a{color:inherit}
header>div,main{max-width:66rem;margin:0 auto;padding:1rem}
header{border-bottom:1px solid var(--line)}
header img{display:block;height:2.5rem;max-width:12rem;object-fit:contain;object-position:left}
header p{margin:0;font-weight:600;font-size:1.125rem;overflow-wrap:anywhere}
h1{font-size:1.5rem;line-height:1.25;margin:.5rem 0 1.25rem}
h2{font-size:1.125rem;margin:0 0 .75rem}
main>.columns{display:grid;gap:1.5rem;grid-template-columns:minmax(0,1fr)}
@media(min-width:52rem){main>.columns{grid-template-columns:minmax(0,1fr) 24rem;align-items:start}
.summary{grid-column:2;grid-row:1/span 2}.entry{grid-column:1;grid-row:1/span 2}}
.summary{background:var(--raised);border:1px solid var(--line);border-radius:.5rem;padding:1.25rem}
.lines{list-style:none;margin:0 0 1rem;padding:0}
.lines li{display:flex;justify-content:space-between;gap:1rem;padding:.625rem 0;border-bottom:1px solid var(--line)}
.lines p{margin:0;overflow-wrap:anywhere}
.soft{color:var(--soft);font-size:.875rem}
.amount{font-variant-numeric:tabular-nums;white-space:nowrap;text-align:right}
dl{margin:0}dl div{display:flex;justify-content:space-between;gap:1rem;padding:.1875rem 0}
dt,dd{margin:0}
dl .total{border-top:1px solid var(--line);margin-top:.5rem;padding-top:.75rem;font-weight:700;font-size:1.125rem}
.method{display:flex;gap:.75rem;align-items:baseline;padding:.75rem;margin:0 0 .5rem;border:1px solid var(--edge);border-radius:.375rem}
.method:has(:checked){border-color:var(--primary)}
.method input{width:auto;min-height:0;flex:none}.method .amount{margin-left:auto;color:var(--text)}
.method>span{color:var(--text)}.method .soft{display:block}
fieldset{border:0;margin:0 0 1.5rem;padding:0;min-width:0}
legend{font-weight:600;font-size:1.125rem;padding:0;margin:0 0 .75rem}
.fields{display:grid;gap:.875rem 1rem;grid-template-columns:minmax(0,1fr)}
@media(min-width:30rem){.fields{grid-template-columns:repeat(2,minmax(0,1fr))}.wide{grid-column:1/-1}}
label{display:block;font-weight:500;margin-bottom:.25rem}
label span{font-weight:400;color:var(--soft)}
input,select,textarea{width:100%;min-height:2.75rem;padding:.5rem .75rem;font:inherit;color:var(--text);background:var(--ground);border:1px solid var(--edge);border-radius:.375rem}
textarea{resize:vertical}
.message{margin:0 0 1.5rem}
.saved span{font:inherit;color:inherit}
.saved label{display:flex;gap:.5rem;align-items:baseline;font-weight:400;overflow-wrap:anywhere}
.saved input{width:auto;min-height:0;flex:none}
[aria-invalid=true]{border:2px solid var(--alert)}
.wrong{color:var(--alert);margin:.25rem 0 0;font-size:.9375rem}
button,.button{display:inline-block;min-height:2.75rem;padding:.625rem 1.25rem;font:inherit;font-weight:600;text-align:center;text-decoration:none;border-radius:.375rem;border:1px solid var(--edge);background:transparent;color:var(--text);cursor:pointer}
.main{width:100%;background:var(--primary);color:var(--on-primary);border-color:var(--primary)}
button:hover,.button:hover{filter:brightness(1.1)}
:focus-visible{outline:3px solid var(--primary);outline-offset:2px}
.actions{display:grid;gap:.75rem}
.details>p:first-child{margin-top:0}
.row{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem 1rem}
.quiet{border:0;padding-inline:0;text-decoration:underline;font-weight:400}
address{font-style:normal;margin:0 0 1.5rem}
.note{border-left:4px solid var(--primary);background:var(--raised);padding:.75rem 1rem;margin:0 0 1.25rem}
.note.bad{border-color:var(--alert)}
.note p,.note ul{margin:0}.note ul{padding-left:1.25rem}
@media(prefers-reduced-motion:no-preference){button,.button{transition:filter .15s}}`;
