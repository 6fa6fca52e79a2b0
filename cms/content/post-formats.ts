/** WordPress stores post formats as terms of a taxonomy: `post-format-quote`. */
export const FORMAT_TAXONOMY = 'post_format'
export const FORMAT_PREFIX = 'post-format-'

/** The slug of a term in addresses: archives of formats have the format's own name, `/type/quote/` (WordPress's `_post_format_link`). */
export function slugInPath(taxonomy: string, slug: string): string {
  return taxonomy === FORMAT_TAXONOMY && slug.startsWith(FORMAT_PREFIX) ? slug.slice(FORMAT_PREFIX.length) : slug
}

/** The slug of the term in a URL (WordPress's `_post_format_request`). */
export function slugOfPath(taxonomy: string, part: string): string {
  return taxonomy === FORMAT_TAXONOMY && !part.startsWith(FORMAT_PREFIX) ? FORMAT_PREFIX + part : part
}

/** The name that a term is shown with: a format's term has its slug as its name (WordPress's `_post_format_get_term`). */
export function shownName({ taxonomy, name, slug }: { taxonomy: string; name: string; slug: string }): string {
  if (taxonomy !== FORMAT_TAXONOMY || name !== slug) return name
  const format = slugInPath(taxonomy, slug)
  return format.charAt(0).toUpperCase() + format.slice(1)
}
