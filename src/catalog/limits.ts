/** Largest number of levels in the category tree. */
export const MAX_CATEGORY_LEVELS = 5;
/** Largest number of categories of a product. */
export const MAX_PRODUCT_CATEGORIES = 100;

/** Largest number of images of a product. */
export const MAX_IMAGES = 250;
/** Largest number of tags of a product. */
export const MAX_TAGS = 250;
/** Largest number of variants of a configurable product. */
export const MAX_VARIANTS = 500;
/** Largest number of attributes of a variant. */
export const MAX_VARIANT_ATTRIBUTES = 50;
/** Largest number of links of a downloadable product. */
export const MAX_LINKS = 100;
/** Largest number of members of a grouped product, and of items in one group of a bundle. */
export const MAX_MEMBERS = 100;
/** Largest number of places of a product in groups and bundles: each of its sales computes the stock of all of them. */
export const MAX_MEMBERSHIPS = 1_000;
/** The most that a member's places times the items of the group or bundle it is added to may be: its sales read them. */
export const MAX_PLACES_READ = 100_000;
/** Largest number of groups of a bundle. */
export const MAX_BUNDLE_GROUPS = 50;
/** Largest number of slots of a booking product, and of places in one slot. */
export const MAX_SLOTS = 1_000;
export const MAX_SLOT_CAPACITY = 100_000;
/** Largest weight of one unit, in grams: ten tonnes. */
export const MAX_WEIGHT = 10_000_000;

/** Largest lengths of texts, in characters (code points). */
export const MAX_NAME_LENGTH = 255;
export const MAX_SLUG_LENGTH = 255;
export const MAX_TITLE_LENGTH = 255;
export const MAX_DESCRIPTION_LENGTH = 65_535;
export const MAX_VENDOR_LENGTH = 255;
export const MAX_TAX_CLASS_LENGTH = 50;
export const MAX_TAG_LENGTH = 100;
export const MAX_BARCODE_LENGTH = 50;
export const MAX_ATTRIBUTE_NAME_LENGTH = 50;
export const MAX_ATTRIBUTE_VALUE_LENGTH = 255;
/** Largest number of attributes of a product, of values in one of them, and length of their names. */
export const MAX_PRODUCT_ATTRIBUTES = 50;
export const MAX_PRODUCT_ATTRIBUTE_VALUES = 20;
export const MAX_PRODUCT_ATTRIBUTE_NAME_LENGTH = 64;
/** The alternative text of an image. */
export const MAX_ALT_LENGTH = 512;
export const MAX_SEO_TITLE_LENGTH = 255;
export const MAX_SEO_DESCRIPTION_LENGTH = 1_000;
/** Largest length of the text that searches and filters lists. */
export const MAX_SEARCH_TEXT_LENGTH = 100;
