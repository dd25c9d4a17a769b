import { type ThemeStyle, themeProperties } from '../../theme/index.ts';

/** Returns the CSS of the checkout pages in a tenant's colours and font. */
export const styleOf = (theme: ThemeStyle): string => themeProperties(theme) + RULES;

const RULES = `*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--text);font:1rem/1.55 var(--font);overflow-wrap:anywhere}
a{color:inherit;text-underline-offset:.2em}
header>div,main{max-width:70rem;margin:0 auto;padding:1rem clamp(1rem,4vw,2.5rem)}
header{border-bottom:1px solid var(--line)}
header img{display:block;height:2.25rem;max-width:14rem;border-radius:.375rem;object-fit:contain;object-position:left}
header p{margin:0;font-weight:700;font-size:1.25rem;letter-spacing:-.02em}
main{padding-block:2rem 4rem}
main.narrow{max-width:36rem;padding-top:clamp(2rem,10vh,6rem)}
h1{font-size:clamp(1.5rem,1.3rem + 1vw,2rem);line-height:1.2;letter-spacing:-.02em;margin:0 0 1.25rem}
h2,legend{font-weight:650;font-size:1.125rem;line-height:1.3;letter-spacing:-.01em}
h2{margin:0 0 .75rem}
main>.columns{display:grid;gap:2rem;grid-template-columns:minmax(0,1fr)}
@media(min-width:52rem){main>.columns{grid-template-columns:minmax(0,1fr) 25rem;gap:clamp(2rem,5vw,4rem);align-items:start}
.summary{grid-column:2;grid-row:1/span 2;position:sticky;top:1.5rem}.entry{grid-column:1;grid-row:1/span 2}}
.summary{background:var(--raised);border-radius:1rem;padding:1.5rem}
.lines{list-style:none;margin:0 0 1rem;padding:0}
.lines li{display:flex;justify-content:space-between;gap:1rem;padding:.75rem 0;border-bottom:1px solid var(--line)}
.lines p{margin:0}
.summary .lines p:first-child{font-weight:500}
.soft{color:var(--soft);font-size:.875rem}
.amount{font-variant-numeric:tabular-nums;white-space:nowrap;text-align:right}
dl{margin:0}dl div{display:flex;justify-content:space-between;gap:1rem;padding:.1875rem 0}
dt,dd{margin:0}
dl .total{border-top:1px solid var(--line);margin-top:.625rem;padding-top:.75rem;font-weight:700;font-size:1.25rem}
.method,.saved label{display:flex;gap:.75rem;align-items:baseline;padding:.875rem 1rem;margin:0 0 .5rem;border:1px solid var(--edge);border-radius:.75rem;font-weight:400;cursor:pointer}
:is(.method,.saved label):has(:checked){border-color:var(--primary);box-shadow:inset 0 0 0 1px var(--primary)}
:is(.method,.saved) input{width:1.125rem;height:1.125rem;min-height:0;flex:none;margin:0;accent-color:var(--primary);transform:translateY(.125rem)}
.method .amount{margin-left:auto;color:var(--text);font-weight:600}
.method>span{color:var(--text)}.method .soft{display:block}
.saved span{font:inherit;color:inherit}
fieldset{border:0;margin:0 0 2rem;padding:0;min-width:0}
legend{padding:0;margin:0 0 .875rem}
.fields{display:grid;gap:1rem;grid-template-columns:minmax(0,1fr)}
@media(min-width:30rem){.fields{grid-template-columns:repeat(2,minmax(0,1fr))}.wide{grid-column:1/-1}}
label{display:block;font-weight:500;margin-bottom:.25rem}
label span{font-weight:400;color:var(--soft)}
input,select,textarea{width:100%;min-height:2.875rem;padding:.5rem .875rem;font:inherit;color:var(--text);background:var(--ground);border:1px solid var(--edge);border-radius:.5rem}
textarea{resize:vertical}
[hidden]{display:none!important}
.message{margin:0 0 2rem}
[aria-invalid=true]{border:2px solid var(--alert)}
.wrong{color:var(--alert);margin:.25rem 0 0;font-size:.9375rem}
button,.button{display:inline-block;min-height:2.75rem;padding:.5625rem 1.25rem;font:inherit;font-weight:600;text-align:center;text-decoration:none;border-radius:2rem;border:1px solid var(--edge);background:transparent;color:var(--text);cursor:pointer}
.main,.narrow .button{background:var(--primary);color:var(--on-primary);border-color:var(--primary)}
.main{width:100%;min-height:3.25rem;font-size:1.0625rem}
button:hover,.button:hover{border-color:var(--text);text-decoration:underline}
:focus-visible{outline:3px solid var(--primary);outline-offset:2px}
.actions{display:grid;gap:.75rem}
.details>p:first-child{margin-top:0}
.row{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem 1rem}
.quiet{border:0;padding-inline:0;text-decoration:underline;font-weight:400}
address{font-style:normal;margin:0 0 1.5rem}
.note{border-radius:.75rem;border-left:4px solid var(--primary);background:var(--raised);padding:.875rem 1.125rem;margin:0 0 1.5rem}
.note.bad{border-color:var(--alert)}
.note p,.note ul{margin:0}.note ul{padding-left:1.25rem}
.narrow section{margin:0 0 2rem}
@media print{form,.button{display:none}}`;
