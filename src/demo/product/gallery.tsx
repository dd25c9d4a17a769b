import { Picture } from '../shelf/card.tsx';
import type { Product, Variant } from './choice.ts';

const MAX_PICTURES = 8;

/** Returns a product's pictures, that of the chosen variant first. */
function picturesOf({ media }: Product, variant: Variant | null): Product['media'] {
  const own = media.find(({ url }) => url === variant?.image);
  const pictures = own ? [own, ...media.filter((one) => one !== own)] : media;
  const first = variant?.image && !own ? [{ url: variant.image, alt: null, width: null, height: null }] : [];
  return [...first, ...pictures].slice(0, MAX_PICTURES);
}

/** A row of pictures to scroll through, with a link to each. */
export const Gallery = ({ product, variant }: { product: Product; variant: Variant | null }) => {
  const pictures = picturesOf(product, variant);
  const altOf = (at: number) =>
    pictures[at]?.alt ?? (at === 0 ? product.name : `${product.name}, picture ${at + 1}`);
  return (
    <>
      {pictures.length > 1 ? (
        <section class="slides" aria-label="Pictures" tabindex={0}>
          {pictures.map((image, at) => (
            <div id={`picture-${at + 1}`}>
              <Picture of={image} alt={altOf(at)} size={600} eager={at === 0} />
            </div>
          ))}
        </section>
      ) : (
        <div class="slides">
          <div>
            <Picture of={pictures[0]} alt={altOf(0)} size={600} eager />
          </div>
        </div>
      )}
      {pictures.length > 1 && (
        <ul class="thumbs">
          {pictures.map((image, at) => (
            <li>
              <a href={`#picture-${at + 1}`}>
                <Picture of={image} alt={`Picture ${at + 1}`} size={80} />
              </a>
            </li>
          ))}
        </ul>
      )}
    </>
  );
};
