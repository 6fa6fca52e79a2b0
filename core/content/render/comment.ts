import { autop } from '@wordpress/autop'
import sanitizeHtml from 'sanitize-html'
import { remember } from './remember.ts'

/** What a comment may hold; WordPress's `$allowedtags`. */
const RULES: sanitizeHtml.IOptions = {
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

/** A comment's text as safe HTML with paragraphs. Comments come from strangers, so they are cleaned when shown, too. */
export const commentHtml: (content: string) => string = remember((content) => autop(sanitizeHtml(content, RULES)))
