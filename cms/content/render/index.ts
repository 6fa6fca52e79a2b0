import type { Hooks } from '../../../core/hooks/types.ts'
import { escapeHtml } from '../../../core/http/escape-html.ts'
import type { Logger } from '../../../core/log.ts'
import { toLanguage } from '../../text/language.ts'
import { plainText } from '../../text/plain-text.ts'
import { blockFilterShapes } from '../blocks/hooks.ts'
import { createDoBlocks } from '../blocks/render.ts'
import { hasBlocks, textBlocks } from '../blocks/strip.ts'
import { toSmilies, toTextParagraphs } from '../large-text/index.ts'
import type { PublicText } from '../public-text.ts'
import type { Media, Post, Posts, SiteSettings } from '../types.ts'
import { GAP } from '../visible-words.ts'
import { createAttachmentRoom, type ListParts } from './attachment-list.ts'
import { createAttachments } from './attachments.ts'
import { renderCaption } from './caption.ts'
import { createCommentText } from './comment.ts'
import { beginning, createExcerpts } from './excerpt.ts'
import { forExcerpt } from './excerpt-context.ts'
import { createGallery, finishGalleries } from './gallery.ts'
import { filterShapes } from './hooks.ts'
import { completeImages } from './images.ts'
import { asContent } from './nesting.ts'
import { prependAttachment } from './own-file.ts'
import { createPlainTexts } from './plain-texts.ts'
import { createPlayers } from './players.ts'
import { createPlaylist } from './playlist.ts'
import { rememberEventually } from './remember.ts'
import { findHandlers, runShortcodes, stripShortcodes, unwrapShortcodes } from './shortcodes.ts'
import { createTexturizer } from './texturizer.ts'
import type { ExcerptLimits, Render, ShortcodeHandler } from './types.ts'

export { isPostPassword, postPasswordRequired } from './post-password.ts'

/** Characters of a title that is typeset. A longer one stays as typed: titles are rendered where nothing can wait for a thread. */
const LONGEST_TITLE = 32_000
/**
 * Maximum number of attachments in the galleries, players and playlists of one content: otherwise a short text could create a page of 100
 * MB.
 */
const MOST_ATTACHMENTS = 1000
/** WordPress's default. */
const EXCERPT_WORDS = 55

/**
 * Registers core's callbacks on `the_content` and `the_excerpt` at WordPress's priorities, and returns the functions that apply them.
 * @param siteUrl origin of the site, without a trailing slash
 */
export function createRender(parts: {
  hooks: Hooks
  media: Media
  posts: Posts
  siteUrl: string
  /** Replaces URLs of former addresses of the site by the current one. */
  currentAddresses: (text: string) => string
  /** Those of the attachments that a post may show. */
  readableIn: (attachments: readonly Post[], shownBy: Post) => Promise<readonly Post[]>
  publicText: () => Pick<PublicText, 'mayHide' | 'shownOf'>
  settings: () => SiteSettings
  log: Logger
}): Render {
  const { hooks, currentAddresses, settings, log } = parts
  hooks.declareFilters({ ...filterShapes, ...blockFilterShapes })
  const attachments = createAttachments(parts)
  const link = (post: Post) => `${parts.siteUrl}${post.path || `/?attachment_id=${post.id}`}`
  /** Those of core, for one content: its players are counted, and so are its attachments. */
  function ownShortcodes(): Readonly<Record<string, ShortcodeHandler>> {
    const room = createAttachmentRoom(MOST_ATTACHMENTS)
    const list: ListParts = { attachments, readable: parts.readableIn, room }
    return {
      ...createPlayers(list),
      gallery: createGallery(list, link),
      playlist: createPlaylist(list),
      caption: renderCaption,
      wp_caption: renderCaption,
    }
  }
  const shortcodes = () => findHandlers(hooks, ownShortcodes(), log)
  const doBlocks = createDoBlocks(hooks)
  const firstWords = createExcerpts()
  const paragraphs = rememberEventually(toTextParagraphs)
  const texturizer = createTexturizer(
    hooks,
    () => toLanguage(settings().language),
    () => shortcodes().has,
  )
  const { texturize, texturizeContent } = texturizer
  const comment = createCommentText(hooks, texturizer, () => settings().useSmilies, currentAddresses)

  hooks.addFilter(
    'the_content',
    function do_blocks(html, post) {
      return doBlocks.render(html, post)
    },
    9,
  )
  hooks.addFilter('the_content', function wptexturize(html) {
    return texturizeContent(html)
  })
  hooks.addFilter('the_content', function wpautop(html, post) {
    return hasBlocks(post.content) ? html : paragraphs(html)
  })
  hooks.addFilter('the_content', function shortcode_unautop(html) {
    return html.includes('[') ? unwrapShortcodes(html, shortcodes()) : html
  })
  hooks.addFilter('the_content', function prepend_attachment(html, post) {
    return post.type === 'attachment' ? prependAttachment(html, post, attachments) : html
  })
  hooks.addFilter(
    'the_content',
    function do_shortcode(html, post) {
      return html.includes('[') ? runShortcodes(html, shortcodes(), post).then(finishGalleries) : html
    },
    11,
  )
  hooks.addFilter(
    'the_content',
    function wp_filter_content_tags(html) {
      return completeImages(html, attachments)
    },
    12,
  )
  hooks.addFilter('the_excerpt', function wptexturize(excerpt) {
    return texturizeContent(excerpt)
  })
  hooks.addFilter('the_excerpt', function wpautop(excerpt) {
    return paragraphs(excerpt)
  })
  for (const name of ['the_content', 'the_excerpt'] as const) {
    hooks.addFilter(
      name,
      function convert_smilies(html) {
        return settings().useSmilies ? toSmilies(html) : html
      },
      20,
    )
  }
  hooks.addFilter('the_title', function wptexturize(title) {
    return title.length > LONGEST_TITLE ? title : texturize(title)
  })

  const plainTexts = createPlainTexts({ hooks, settings, isStatic: doBlocks.isStatic })
  const [plainContent, madeExcerpt, writtenExcerpt] = [
    plainTexts.remember(),
    plainTexts.remember(),
    plainTexts.remember(),
  ]

  async function content(post: Post): Promise<string> {
    const text = currentAddresses(post.content)
    return plainContent(text, post, () =>
      asContent(`content-${post.id}`, () => hooks.applyFiltersAsync('the_content', text, post)),
    )
  }

  /** WordPress's `wp_trim_excerpt`. */
  async function made(post: Post, limits: ExcerptLimits = {}): Promise<string> {
    const words = limits.length ?? hooks.applyFilters('excerpt_length', EXCERPT_WORDS)
    const more = limits.more ?? hooks.applyFilters('excerpt_more', ' [&hellip;]')
    if (parts.publicText().mayHide()) return firstWords(await shownBeginning(post), words, more)
    const start = beginning(post.content)
    // The same text, rendered by core alone, for which an excerpt is no exception.
    const isRendered = start === post.content && plainTexts.isPlain(currentAddresses(start), post)
    const html = isRendered ? await content(post) : await renderedStart(start, post)
    return firstWords(html, words, more)
  }

  async function renderedStart(start: string, post: Post): Promise<string> {
    const text = await stripShortcodes(start, shortcodes())
    return forExcerpt(() => hooks.applyFiltersAsync('the_content', currentAddresses(text), post))
  }

  /**
   * The beginning as far as visitors find it in the whole content. Rendered on its own it could show what is hidden where
   * it belongs, as a mark at which hiding ends may come after it.
   */
  async function shownBeginning(post: Post): Promise<string> {
    const text = plainText(await stripShortcodes(beginning(post.content, GAP), shortcodes(), GAP))
    return escapeHtml(await parts.publicText().shownOf(post, currentAddresses(text)))
  }

  return {
    content,
    comment,
    texturize,
    isPlain: (post) => plainTexts.isPlain(currentAddresses(post.content), post),
    async excerpt(post) {
      if (post.excerpt.trim() !== '') {
        const text = currentAddresses(post.excerpt)
        return writtenExcerpt(text, post, () => hooks.applyFiltersAsync('the_excerpt', text, post))
      }
      const render = async () => hooks.applyFiltersAsync('the_excerpt', await made(post), post)
      return madeExcerpt(currentAddresses(post.content), post, render)
    },
    async plainExcerpt(post, limits) {
      return post.excerpt.trim() === '' ? made(post, limits) : currentAddresses(post.excerpt)
    },
    async blocks(text, post) {
      return doBlocks.render(currentAddresses(text), post)
    },
    title(post) {
      return hooks.applyFilters('the_title', prefixed(post), post.id)
    },
    async text(post) {
      return plainText(await stripShortcodes(textBlocks(post.content), shortcodes()))
    },
    async pieces(post) {
      return plainText(await stripShortcodes(textBlocks(post.content, GAP), shortcodes(), GAP))
    },
  }

  function prefixed(post: Post): string {
    if (post.password !== '') {
      return hooks.applyFilters('protected_title_format', 'Protected: %s', post).replace('%s', () => post.title)
    }
    if (post.status === 'private') {
      return hooks.applyFilters('private_title_format', 'Private: %s', post).replace('%s', () => post.title)
    }
    return post.title
  }
}
