export { demoErrors } from './frame/demo-errors.ts';
export { demoStylesheet } from './frame/stylesheet.ts';
export { demoPages } from './pages.tsx';
