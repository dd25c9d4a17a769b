export { endUnfinishedMedia } from './delete-media.ts';
export { imageUrl } from './image-url.ts';
export { imageSizes, mediaHashOf, mediaUseStatements, usesOfMedia } from './media-uses.ts';
export type { MediaPlace } from './object-keys.ts';
export { MAX_IMAGE_BYTES, MAX_SEARCHED, Media, MediaList } from './schemas.ts';
export { mediaFiles } from './serving/serve-media.ts';
export { uploadedImages } from './store.ts';
export { IMAGE_TYPES } from './uploads/detect-image.ts';
export { restoreImage } from './uploads/restore-image.ts';
