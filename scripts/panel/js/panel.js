// panel.js: joined and minified by scripts/build/assets.ts. The panels work without it; each file improves one thing.
import './forms.js';
import './tabs.js';
import './times.js';
