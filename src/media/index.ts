export { endUnfinishedMedia } from './delete-media.ts';
export { imageSizes, mediaHashOf, mediaUseStatements } from './media-uses.ts';
export { mediaFiles } from './serving/serve-media.ts';
