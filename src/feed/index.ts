export { feedFiles } from './product-feeds/serve-feed.ts';
