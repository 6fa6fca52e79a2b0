import { escapeHtml } from 'pentad'
import sanitizeHtml from 'sanitize-html'

/** A code block around the whole answer, with words to whoever asked before and after; its end may be missing. */
const FENCED = /^[^<`]*```\w*\n([\s\S]*?)(?:\n?```[^<]*)?$/

const BLOCK = /<(?:p|h[1-6]|ul|ol|blockquote|table|pre|div|section|article)\b/i

/** A model that was asked for HTML means a tag where it writes one; `a < b` has none. */
const TAG = /<\/?[a-z][^<>]*>/i

/** What the body of a post is made of. No image: a model knows none, and browsers would fetch what it makes up. */
const RULES: sanitizeHtml.IOptions = {
  allowedTags: [
    ...['p', 'h2', 'h3', 'h4', 'ul', 'ol', 'li', 'dl', 'dt', 'dd', 'blockquote', 'pre', 'code', 'br', 'hr'],
    ...['strong', 'em', 'b', 'i', 'u', 's', 'sub', 'sup', 'a', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
  ],
  allowedAttributes: { a: ['href'], ol: ['start'], td: ['colspan', 'rowspan'], th: ['colspan', 'rowspan', 'scope'] },
  allowedSchemes: ['http', 'https', 'mailto'],
  // The title of the page is its h1.
  transformTags: { h1: 'h2', h5: 'h4', h6: 'h4' },
  // With their text: a page's head has a title, and the frame of a video what shows without it.
  nonTextTags: ['script', 'style', 'textarea', 'option', 'noscript', 'title', 'svg', 'math', 'iframe'],
  // An answer is never nested so deeply, and each level costs.
  nestingLimit: 50,
}

/** What a model wrote, as HTML of a post that is safe to show. An answer without blocks is taken as paragraphs. */
export function cleanArticle(answer: string): string {
  const text = (FENCED.exec(answer)?.[1] ?? answer).trim()
  return sanitizeHtml(BLOCK.test(text) ? text : paragraphs(text), RULES).trim()
}

function paragraphs(text: string): string {
  const html = TAG.test(text) ? text : escapeHtml(text)
  return html
    .split(/\n\s*\n/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => `<p>${part.replaceAll('\n', '<br />')}</p>`)
    .join('\n')
}
