import { escapeHtml } from 'pentad'
import sanitizeHtml from 'sanitize-html'

/** A code block around the answer, with optional text before and after; the closing fence may be missing. */
const FENCED = /^[^<`]*```\w*\n([\s\S]*?)(?:\n?```[^<]*)?$/

const BLOCK = /<(?:p|h[1-6]|ul|ol|blockquote|table|pre|div|section|article)\b/i

/** Text with HTML tags; `a < b` has none. */
const TAG = /<\/?[a-z][^<>]*>/i

/** Elements allowed in generated content. No images: a model cannot know any, and browsers would fetch made-up URLs. */
const RULES: sanitizeHtml.IOptions = {
  allowedTags: [
    ...['p', 'h2', 'h3', 'h4', 'ul', 'ol', 'li', 'dl', 'dt', 'dd', 'blockquote', 'pre', 'code', 'br', 'hr'],
    ...['strong', 'em', 'b', 'i', 'u', 's', 'sub', 'sup', 'a', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
  ],
  allowedAttributes: { a: ['href'], ol: ['start'], td: ['colspan', 'rowspan'], th: ['colspan', 'rowspan', 'scope'] },
  allowedSchemes: ['http', 'https', 'mailto'],
  // The title of the page is its h1.
  transformTags: { h1: 'h2', h5: 'h4', h6: 'h4' },
  // Removed with their text.
  nonTextTags: ['script', 'style', 'textarea', 'option', 'noscript', 'title', 'svg', 'math', 'iframe'],
  // Generated content is never nested this deeply, and each level costs time.
  nestingLimit: 50,
}

/** Converts the answer of a model to safe HTML. Answers without block elements become paragraphs. */
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
