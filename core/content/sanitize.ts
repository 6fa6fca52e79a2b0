import sanitizeHtml from 'sanitize-html'

/** What a comment or the description of a term may hold; WordPress's `$allowedtags`. */
export const COMMENT_RULES: sanitizeHtml.IOptions = {
  allowedTags: 'a abbr b blockquote br cite code del em i p q s strike strong'.split(' '),
  allowedAttributes: {
    a: ['href', 'title', 'rel'],
    abbr: ['title'],
    blockquote: ['cite'],
    del: ['datetime'],
    q: ['cite'],
  },
  allowedSchemes: ['http', 'https', 'mailto'],
}

/** Without what a comment may not hold; WordPress's `wp_filter_kses`. */
export function cleanComment(html: string): string {
  return sanitizeHtml(html, COMMENT_RULES)
}

/** One line without tags and control characters, not escaped. WordPress's function of that name. */
export function sanitizeTextField(text: string): string {
  return text
    .replace(/<[^>]*>?/g, '')
    .replace(/[ \p{Cc}]+/gu, ' ')
    .trim()
}

/** One line without markup, escaped for HTML as WordPress stores the names of terms and commenters: `R&amp;B`. */
export function cleanName(text: string): string {
  return sanitizeHtml(text, { allowedTags: [], allowedAttributes: {} }).replace(/\s+/g, ' ').trim()
}
