import { escapeHtml } from '../../../../core/http/escape-html.ts'
import { isSet, numberAttribute, partOf, textAttribute } from '../../../content/blocks/attributes.ts'
import { wrapperAttributes } from '../../../content/blocks/supports.ts'
import type { Post } from '../../../content/types.ts'
import { plainText } from '../../../text/plain-text.ts'
import { currentPage } from '../../current-page.ts'
import { formatDate, twoDigits } from '../../theme/date-format.ts'
import type { ThemeTexts } from '../../theme/texts.ts'
import type { PageContext } from '../../types.ts'
import { postClasses } from '../../view/classes.ts'
import { halted, nested } from '../nesting.ts'
import { around, type BlockParts, type BlockRenderers, choiceClass, classNames, isClosed } from '../parts.ts'
import { headingTag } from '../post/texts.ts'
import type { FindPosts } from './find.ts'

/** `core/post-template`, `core/query-no-results` and `core/query-title`. */
export function queryPosts(parts: BlockParts, find: FindPosts): BlockRenderers {
  const { content, hooks } = parts

  async function classesOf(post: Post): Promise<string> {
    const { terms, image } = await around(parts, post)
    const shown = currentPage()
    const first = shown?.kind === 'home' && shown.pageNumber === 1
    const locked = isClosed(post)
    const classes = postClasses(post, terms, { locked, image: image !== undefined && !locked, first })
    return ['wp-block-post', ...hooks.applyFilters('post_class', classes, post)].join(' ')
  }

  return {
    async 'core/post-template'(_attributes, _content, block) {
      const { posts } = await find(block)
      if (posts.length === 0) return ''
      const isGrid = partOf(block.context, 'displayLayout', 'type') === 'flex'
      const columns = partOf(block.context, 'displayLayout', 'columns')
      const grid = isGrid
        ? classNames('is-flex-container', `columns-${numberAttribute({ columns: columns ?? 3 }, 'columns')}`)
        : ''
      const items = await nested(
        // Nested loops only differ in depth.
        `loop-${posts.map(({ id }) => id).join('-')}-${Object.keys(block.context).length}-${block.post.id}`,
        async () => {
          let html = ''
          for (const post of posts) {
            const context = { postId: post.id, postType: post.type }
            html += `<li class="${escapeHtml(await classesOf(post))}">${await block.renderInner({ post, context })}</li>`
          }
          return html
        },
        posts.length,
      )
      if (items === undefined) return halted(parts, block.post, 'nested query loops contain too many posts.')
      return `<ul ${wrapperAttributes(block, { class: grid })}>${items}</ul>`
    },

    async 'core/query-no-results'(_attributes, _content, block) {
      if ((await find(block)).posts.length > 0) return ''
      const html = await block.renderInner()
      return html.trim() === '' ? '' : `<div ${wrapperAttributes(block)}>${html}</div>`
    },

    async 'core/query-title'(attributes, _content, block) {
      const shown = currentPage()
      const type = textAttribute(attributes, 'type')
      const title = shown && titleOf(shown, type, { attributes, texts: await parts.texts() })
      if (!title) return ''
      const tag = headingTag(attributes, 1)
      const align = choiceClass('has-text-align-', textAttribute(attributes, 'textAlign'))
      return `<${tag} ${wrapperAttributes(block, { class: align })}>${title}</${tag}>`
    },
  }

  function titleOf(
    page: PageContext,
    type: string,
    { attributes, texts }: { attributes: Parameters<typeof isSet>[0]; texts: ThemeTexts },
  ): string | undefined {
    if (type === 'search' && page.kind === 'search') {
      const { __ } = texts
      const isShown = isSet(attributes, 'showSearchTerm')
      return escapeHtml(isShown ? __('Search results for: "%s"', page.search ?? '') : __('Search results'))
    }
    if (type !== 'archive') return undefined
    const found = archiveTitle(page, texts)
    if (!found) return undefined
    const isPrefixed = attributes.showPrefix === undefined || isSet(attributes, 'showPrefix')
    return isPrefixed && found.prefix !== '' ? `${found.prefix} <span>${found.title}</span>` : found.title
  }

  /** WordPress's `get_the_archive_title`. */
  function archiveTitle({ kind, term, author, postType, date }: PageContext, texts: ThemeTexts) {
    const __ = (name: string) => escapeHtml(texts.__(name))
    const text = (name: string) => escapeHtml(plainText(name))
    if (term) {
      const prefix = kind === 'category' ? __('Category:') : __('Tag:')
      const own = content.taxonomies().get(term.taxonomy)?.singularLabel ?? ''
      return { prefix: kind === 'taxonomy' ? `${text(own)}:` : prefix, title: text(term.name) }
    }
    if (author) return { prefix: __('Author:'), title: `<span class="vcard">${text(author.displayName)}</span>` }
    if (postType && kind === 'post-type') return { prefix: __('Archives:'), title: text(postType.label) }
    if (!date) return undefined
    const { year, month = 1, day = 1 } = date
    const at = `${String(year).padStart(4, '0')}-${twoDigits(month)}-${twoDigits(day)}T00:00:00`
    const [prefix, form] =
      date.day !== undefined
        ? [__('Day:'), 'F j, Y']
        : date.month !== undefined
          ? [__('Month:'), 'F Y']
          : [__('Year:'), 'Y']
    return { prefix, title: text(formatDate(at, form, content.siteSettings())) }
  }
}
