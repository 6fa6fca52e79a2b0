import { escapeHtml } from '../../../../core/http/escape-html.ts'
import { textAttribute } from '../../../content/blocks/attributes.ts'
import { wrapperAttributes } from '../../../content/blocks/supports.ts'
import type { Block } from '../../../content/types.ts'
import { currentPage } from '../../current-page.ts'
import { pathOfPage } from '../../view/pagination.ts'
import type { BlockParts, BlockRenderers } from '../parts.ts'
import type { FindPosts, FoundPosts } from './find.ts'

const ARROWS: Readonly<Record<string, readonly [previous: string, next: string]>> = {
  arrow: ['←', '→'],
  chevron: ['«', '»'],
}
/** Page numbers around the current one and at the ends; WordPress's `paginate_links`. */
const AROUND = 2
const AT_ENDS = 1

/** An arrow next to a link. */
export function paginationArrow(kind: string, side: 'previous' | 'next', of: string): string {
  const arrow = Object.hasOwn(ARROWS, kind) ? ARROWS[kind]?.[side === 'previous' ? 0 : 1] : undefined
  const names = `${of}-${side}-arrow is-arrow-${kind}`
  return arrow === undefined ? '' : `<span class='${names}' aria-hidden='true'>${arrow}</span>`
}

/** Page numbers as links with gaps; empty if there is only one page. */
export function pageNumbers(current: number, total: number, url: (page: number) => string): string {
  if (total < 2) return ''
  const shown: string[] = []
  let isGap = false
  for (let page = 1; page <= total; page++) {
    if (page === current) {
      shown.push(`<span aria-current="page" class="page-numbers current">${page}</span>`)
      isGap = false
    } else if (page <= AT_ENDS || page > total - AT_ENDS || Math.abs(page - current) <= AROUND) {
      shown.push(`<a class="page-numbers" href="${escapeHtml(url(page))}">${page}</a>`)
      isGap = false
    } else if (!isGap) {
      shown.push('<span class="page-numbers dots">&hellip;</span>')
      isGap = true
    }
  }
  return shown.join('\n')
}

/** `core/query-pagination` and the three blocks within it. */
export function queryPagination({ origin, texts }: BlockParts, find: FindPosts): BlockRenderers {
  function urlOf({ pageKey }: FoundPosts, page: number): string {
    const shown = currentPage()
    if (pageKey === undefined) return shown ? origin + pathOfPage(shown, page) : ''
    const query = new URLSearchParams(shown?.request.query)
    query.set(pageKey, String(page))
    return `?${query}`
  }

  async function link(block: Block, side: 'previous' | 'next'): Promise<string> {
    const found = await find(block)
    const page = found.page + (side === 'next' ? 1 : -1)
    if (page < 1 || page > found.pages) return ''
    const { __ } = await texts()
    const usual = side === 'next' ? __('Next Page') : __('Previous Page')
    const text = escapeHtml(textAttribute(block.attributes, 'label') || usual)
    const arrow = paginationArrow(textAttribute(block.context, 'paginationArrow'), side, 'wp-block-query-pagination')
    const html = side === 'next' ? text + arrow : arrow + text
    const path = found.pageKey === undefined ? '' : (currentPage()?.request.path ?? '')
    return `<a href="${escapeHtml(path + urlOf(found, page))}" ${wrapperAttributes(block)}>${html}</a>`
  }

  return {
    async 'core/query-pagination'(_attributes, html, block) {
      if (html.trim() === '') return ''
      return `<nav ${wrapperAttributes(block, { 'aria-label': (await texts()).__('Pagination') })}>${html}</nav>`
    },
    'core/query-pagination-previous': (_attributes, _content, block) => link(block, 'previous'),
    'core/query-pagination-next': (_attributes, _content, block) => link(block, 'next'),
    async 'core/query-pagination-numbers'(_attributes, _content, block) {
      const found = await find(block)
      const html = pageNumbers(found.page, found.pages, (page) => urlOf(found, page))
      return html === '' ? '' : `<div ${wrapperAttributes(block)}>${html}</div>`
    },
  }
}
