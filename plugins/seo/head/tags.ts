import { escapeHtml } from 'pentad'

/** What a `<meta>` says, under its `name` or `property`. */
export type MetaTag = readonly [name: string, content: string]

/** `<meta name="description" content="…">` for each; those without content are left out. */
export function metaTags(attribute: 'name' | 'property', tags: readonly MetaTag[]): string {
  return tags
    .filter(([, content]) => content !== '')
    .map(([name, content]) => `<meta ${attribute}="${escapeHtml(name)}" content="${escapeHtml(content)}">\n`)
    .join('')
}
