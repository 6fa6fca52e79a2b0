import { escapeHtml } from '../../../../core/http/escape-html.ts'
import { isSet, numberAttribute, textAttribute } from '../../../content/blocks/attributes.ts'
import type { BlockAttributes } from '../../../content/blocks/parser.ts'
import { wrapperAttributes } from '../../../content/blocks/supports.ts'
import { gmtToSite } from '../../../content/site-time.ts'
import { formatDate } from '../../theme/date-format.ts'
import type { ThemeTexts } from '../../theme/texts.ts'
import { halted } from '../nesting.ts'
import { type BlockParts, type BlockRenderers, classNames, safeUrl, tagPage } from '../parts.ts'
import type { FetchFeed } from './fetch.ts'
import type { FeedItem } from './read.ts'

const MOST = 20

/** `core/rss`: items of a feed of another site; empty if it is not available. */
export function rss(parts: BlockParts, fetchFeed: FetchFeed): BlockRenderers {
  const { content, origin, texts } = parts

  function item(entry: FeedItem, attributes: BlockAttributes, { __ }: ThemeTexts): string {
    const settings = content.siteSettings()
    const url = /^https?:\/\//i.test(entry.url) ? safeUrl(entry.url) : ''
    const title = escapeHtml(entry.title) || '(no title)'
    const shown = url === '' ? title : `<a href='${url}'>${title}</a>`
    const local = entry.dateGmt === '' ? '' : gmtToSite(entry.dateGmt, settings.timezone)
    const date =
      isSet(attributes, 'displayDate') && local !== ''
        ? `<time datetime="${formatDate(local, 'c', settings)}" class="wp-block-rss__item-publish-date">${escapeHtml(
            formatDate(local, settings.dateFormat, settings),
          )}</time> `
        : ''
    const author =
      isSet(attributes, 'displayAuthor') && entry.author !== ''
        ? `<span class="wp-block-rss__item-author">${escapeHtml(__('by %s', entry.author))}</span>`
        : ''
    const length = numberAttribute(attributes, 'excerptLength', { min: 1, max: 1000, fallback: 55 })
    const excerpt = isSet(attributes, 'displayExcerpt')
      ? `<div class="wp-block-rss__item-excerpt">${escapeHtml(beginning(entry.description, length))}</div>`
      : ''
    return `<li class='wp-block-rss__item'><div class='wp-block-rss__item-title'>${shown}</div>${date}${author}${excerpt}</li>`
  }

  return {
    async 'core/rss'(attributes, _content, block) {
      const url = textAttribute(attributes, 'feedURL').trim()
      // The feed can change without a change of this site.
      tagPage('feeds')
      const target = URL.parse(url)
      if (!target) return ''
      if (target.origin === new URL(origin).origin) {
        return halted(parts, block.post, 'the feed belongs to this site. Use the Latest Posts block.')
      }
      const items = await fetchFeed(target.href)
      if (!items || items.length === 0) {
        return halted(parts, block.post, 'the feed is unreachable or has no items.')
      }
      const most = numberAttribute(attributes, 'itemsToShow', { min: 1, max: MOST, fallback: 5 })
      const isGrid = textAttribute(attributes, 'blockLayout') === 'grid'
      const names = classNames(
        isGrid && 'is-grid',
        isGrid && `columns-${numberAttribute(attributes, 'columns', { min: 1, max: 100, fallback: 2 })}`,
        isSet(attributes, 'displayDate') && 'has-dates',
        isSet(attributes, 'displayAuthor') && 'has-authors',
        isSet(attributes, 'displayExcerpt') && 'has-excerpts',
      )
      const site = await texts()
      const list = items.slice(0, most).map((entry) => item(entry, attributes, site))
      return `<ul ${wrapperAttributes(block, { class: names })}>${list.join('')}</ul>`
    },
  }
}

function beginning(text: string, count: number): string {
  const words = text.split(' ', count + 1)
  return words.length > count ? `${words.slice(0, count).join(' ')} […]` : text
}
