export { endUnfinishedMedia } from './delete-media.ts';
export { mediaFiles } from './serve-media.ts';
