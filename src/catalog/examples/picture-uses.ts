import type { Example } from '../../kernel/openapi/example.ts';
import type { PictureParams, PictureUses } from '../picture-uses/schemas.ts';

/** The example of the products that show an uploaded image. */
export const pictureUsesExample = (): Example<{
  params: typeof PictureParams;
  answer: typeof PictureUses;
}> => ({
  params: { id: 'med_3kTMd9XcB2LhVq0ZrWy7sFgP' },
  answer: { data: [{ id: 1, name: 'Espresso', in_images: true, alt: 'A bag of coffee beans' }] },
});
