export { FeedPreview, FeedProblemList, ProductFeed, ProductFeedList } from './product-feeds/schemas.ts';
export { feedFiles } from './product-feeds/serve-feed.ts';
export { renewFeed } from './product-feeds/store.ts';
