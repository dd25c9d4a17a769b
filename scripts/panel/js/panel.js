// panel.js: joined and minified by scripts/assets.ts. The panels work without it; each file improves one thing.
import './forms.js';
import './times.js';
