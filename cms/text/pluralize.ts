/** A number with its noun: `pluralize(1, 'post')` is `1 post`, `pluralize(2, 'post')` is `2 posts`. */
export function pluralize(count: number, singular: string): string {
  return `${count} ${singular}${count === 1 ? '' : 's'}`
}
