import { escapeHtml } from 'pentad'

/** A `<meta>` element with `name` or `property`. */
export type MetaTag = readonly [name: string, content: string]

/** Renders `<meta name="description" content="…">` for each; those without content are omitted. */
export function metaTags(attribute: 'name' | 'property', tags: readonly MetaTag[]): string {
  return tags
    .filter(([, content]) => content !== '')
    .map(([name, content]) => `<meta ${attribute}="${escapeHtml(name)}" content="${escapeHtml(content)}">\n`)
    .join('')
}
