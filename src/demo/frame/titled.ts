/** Returns the name of an option or an attribute as a label: "shade_of_blue" → "Shade of blue". */
export function titled(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
