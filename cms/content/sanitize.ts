import sanitizeHtml from 'sanitize-html'
import { RestError } from '../../core/errors.ts'
import { escapeHtml } from '../../core/http/escape-html.ts'
import { DEEPEST } from '../text/html-parser.ts'

/** Allowed HTML in comments and term descriptions; WordPress's `$allowedtags`. */
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

/**
 * Without what a comment may not hold; WordPress's `wp_filter_kses`.
 * @throws RestError `rest_invalid_param` if it is nested too deeply
 */
export function cleanComment(html: string): string {
  return sanitized(html, COMMENT_RULES)
}

/**
 * Sanitizes HTML by rules. Nesting is limited, because the sanitizer searches all open elements for each end tag, which takes quadratic
 * time.
 */
export function sanitized(html: string, rules: sanitizeHtml.IOptions): string {
  const depth = countDepth()
  return sanitizeHtml(html, { ...rules, onOpenTag: depth.enter, onCloseTag: depth.leave })
}

/** HTML by rules, of a text that is stored already; as text where it is nested too deeply, as an import may bring it. */
export function safeHtml(html: string, rules: sanitizeHtml.IOptions): string {
  try {
    return sanitized(html, rules)
  } catch (error) {
    if (error instanceof RestError) return escapeHtml(html)
    throw error
  }
}

/** @throws RestError `rest_invalid_param` where more is entered than left */
export function countDepth(): { enter(): void; leave(): void } {
  let depth = 0
  return {
    enter() {
      if (++depth > DEEPEST) throw tooDeep()
    },
    leave() {
      depth--
    },
  }
}

export function tooDeep(): RestError {
  return new RestError('rest_invalid_param', 'The HTML is nested too deeply.', { status: 400 })
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
  return safeHtml(text, { allowedTags: [], allowedAttributes: {} }).replace(/\s+/g, ' ').trim()
}
