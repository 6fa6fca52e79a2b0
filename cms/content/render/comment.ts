import sanitizeHtml from 'sanitize-html'
import type { Hooks } from '../../../core/hooks/types.ts'
import { COMMENT_RULES, safeHtml } from '../sanitize.ts'
import type { Comment } from '../types.ts'
import { toParagraphs } from './autop.ts'
import { linkAddresses } from './link-addresses.ts'
import { remember } from './remember.ts'
import { convertSmilies } from './smilies.ts'
import type { Texturizer } from './texturizer.ts'

/** Links of commenters are not endorsed by the site. */
const RULES: sanitizeHtml.IOptions = {
  ...COMMENT_RULES,
  transformTags: { a: sanitizeHtml.simpleTransform('a', { rel: 'nofollow ugc' }) },
}

const cleaned = remember((text) => safeHtml(text, RULES))
const linked = remember(linkAddresses)
const paragraphs = remember(toParagraphs)

/** The text of a description as safe HTML with paragraphs. */
export function descriptionHtml(description: string): string {
  return description.trim() === '' ? '' : paragraphs(cleaned(description))
}

/**
 * Registers core's callbacks on `comment_text` at WordPress's priorities, and returns a function that applies the filter. Comments come
 * from visitors and imports, so they are sanitized before the first callback, on every output.
 */
export function createCommentText(
  hooks: Pick<Hooks, 'addFilter' | 'applyFilters'>,
  { texturize }: Texturizer,
  useSmilies: () => boolean,
  currentAddresses: (text: string) => string,
): (comment: Comment) => string {
  hooks.addFilter(
    'comment_text',
    function make_clickable(html) {
      return linked(html)
    },
    9,
  )
  hooks.addFilter('comment_text', function wptexturize(html) {
    return texturize(html)
  })
  hooks.addFilter(
    'comment_text',
    function convert_smilies(html) {
      return useSmilies() ? convertSmilies(html) : html
    },
    20,
  )
  hooks.addFilter(
    'comment_text',
    function wpautop(html) {
      return paragraphs(html)
    },
    30,
  )
  return (comment) => hooks.applyFilters('comment_text', cleaned(currentAddresses(comment.content)), comment)
}
