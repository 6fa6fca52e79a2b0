import { escapeHtml } from '../../../../core/http/escape-html.ts'
import { idsAttribute, isSet, numberAttribute, partOf, textAttribute } from '../../../content/blocks/attributes.ts'
import type { BlockAttributes } from '../../../content/blocks/parser.ts'
import { stylesOf } from '../../../content/blocks/styles.ts'
import { wrapperAttributes } from '../../../content/blocks/supports.ts'
import { imageTag } from '../../../content/render/image-tag.ts'
import type { Post, PostOrder } from '../../../content/types.ts'
import { plainText } from '../../../text/plain-text.ts'
import { formatDate } from '../../theme/date-format.ts'
import { halted, nested } from '../nesting.ts'
import {
  around,
  type BlockParts,
  type BlockRenderers,
  choiceClass,
  classNames,
  isClosed,
  linkTo,
  listTogether,
  reader,
  tagPage,
  titleOf,
} from '../parts.ts'

const MOST = 100
const ORDERS: Readonly<Record<string, PostOrder>> = { date: 'date', title: 'title', modified: 'modified' }

/** `core/latest-posts` */
export function latestPosts(parts: BlockParts): BlockRenderers {
  const { content, texts } = parts

  async function find(attributes: BlockAttributes): Promise<readonly Post[]> {
    const given = attributes.categories
    const categories = idsAttribute(
      Array.isArray(given) ? given.map((category) => partOf([category], '0', 'id') ?? category) : given,
    )
    const authors = idsAttribute(attributes.selectedAuthor)
    // As in WordPress's query: 0 is the posts-per-page setting, -1 means all.
    const number = numberAttribute(attributes, 'postsToShow', { min: Number.MIN_SAFE_INTEGER, fallback: 5 })
    const wanted = number === -1 ? MOST : Math.abs(number) || content.siteSettings().postsPerPage
    const limit = Math.min(wanted, MOST)
    const { items } = await content.posts.query({
      types: ['post'],
      limit,
      noFoundRows: true,
      orderBy: ORDERS[textAttribute(attributes, 'orderBy')] ?? 'date',
      order: textAttribute(attributes, 'order') === 'asc' ? 'asc' : 'desc',
      ...(categories.length > 0 ? { terms: { category: { ids: categories } } } : {}),
      ...(authors.length > 0 ? { authors } : {}),
      readableBy: reader(),
    })
    const isByDate = (ORDERS[textAttribute(attributes, 'orderBy')] ?? 'date') === 'date'
    tagPage(
      // Sorted by date, the list changes when a post is published; by title or modification, with any edit.
      ...(isByDate ? ['archive-type-post'] : ['list-post']),
      ...categories.map((id) => `archive-term-${id}`),
      ...authors.map((id) => `archive-author-${id}`),
      ...items.map(({ id }) => `post-${id}`),
    )
    listTogether(items)
    return items
  }

  async function picture(post: Post, attributes: BlockAttributes, title: string, link: string): Promise<string> {
    const { image } = await around(parts, post)
    if (!image || isClosed(post)) return ''
    const size = textAttribute(attributes, 'featuredImageSizeSlug') || 'thumbnail'
    const pixels = (name: string) => {
      const value = numberAttribute(attributes, name)
      return value > 0 ? `${value}px` : undefined
    }
    const style = stylesOf({
      'max-width': pixels('featuredImageSizeWidth'),
      'max-height': pixels('featuredImageSizeHeight'),
    })
    const named = `attachment-${size} size-${size} wp-post-image`
    const tag = imageTag({ details: image }, size, { class: named, ...(style === '' ? {} : { style }) })
    const shown = isSet(attributes, 'addLinkToFeaturedImage')
      ? `<a href="${link}" aria-label="${escapeHtml(plainText(title))}">${tag}</a>`
      : tag
    const align = choiceClass('align', textAttribute(attributes, 'featuredImageAlign'))
    return `<div class="${classNames('wp-block-latest-posts__featured-image', align)}">${shown}</div>`
  }

  async function text(post: Post, attributes: BlockAttributes): Promise<string> {
    if (!isSet(attributes, 'displayPostContent')) return ''
    const note = escapeHtml((await texts()).__('This content is password protected.'))
    if (textAttribute(attributes, 'displayPostContentRadio') === 'full_post') {
      const html = isClosed(post)
        ? note
        : ((await nested(`content-${post.id}`, () => content.renderContent(post))) ??
          (await halted(parts, post, 'the post contains itself.')))
      return `<div class="wp-block-latest-posts__post-full-content">${html}</div>`
    }
    const length = numberAttribute(attributes, 'excerptLength', { min: 1, max: 1000, fallback: 55 })
    const excerpt = isClosed(post) ? note : await content.getExcerpt(post, { length })
    return `<div class="wp-block-latest-posts__post-excerpt">${excerpt}</div>`
  }

  async function item(post: Post, attributes: BlockAttributes): Promise<string> {
    const settings = content.siteSettings()
    const title = titleOf(content, post)
    const link = linkTo(content, post)
    let html = isSet(attributes, 'displayFeaturedImage') ? await picture(post, attributes, title, link) : ''
    html += `<a class="wp-block-latest-posts__post-title" href="${link}">${title}</a>`
    if (isSet(attributes, 'displayAuthor')) {
      const { author } = await around(parts, post)
      const by = (await texts()).__('by %s', author?.displayName ?? '')
      if (author) html += `<div class="wp-block-latest-posts__post-author">${escapeHtml(by)}</div>`
    }
    if (isSet(attributes, 'displayPostDate')) {
      const date = formatDate(post.date, settings.dateFormat, settings)
      const datetime = formatDate(post.date, 'c', settings)
      html += `<time datetime="${datetime}" class="wp-block-latest-posts__post-date">${escapeHtml(date)}</time>`
    }
    return `<li>${html}${await text(post, attributes)}</li>\n`
  }

  return {
    async 'core/latest-posts'(attributes, _content, block) {
      const isGrid = textAttribute(attributes, 'postLayout') === 'grid'
      const columns = numberAttribute(attributes, 'columns', { min: 1, max: 100, fallback: 3 })
      let items = ''
      for (const post of await find(attributes)) items += await item(post, attributes)
      const names = classNames(
        'wp-block-latest-posts__list',
        isGrid && 'is-grid',
        isGrid && `columns-${columns}`,
        isSet(attributes, 'displayPostDate') && 'has-dates',
        isSet(attributes, 'displayAuthor') && 'has-author',
      )
      return `<ul ${wrapperAttributes(block, { class: names })}>${items}</ul>`
    },
  }
}
