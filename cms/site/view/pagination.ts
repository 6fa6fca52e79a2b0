import { firstPath, pagedPath } from '../../content/permalinks/path.ts'
import type { PageContext } from '../types.ts'

/** A page number; without `url` it is the current page or a gap. */
export interface TemplatePageLink {
  readonly label: string
  readonly url: string | undefined
  readonly current: boolean
}

export interface TemplatePagination {
  readonly previous: string | undefined
  readonly next: string | undefined
  readonly pages: readonly TemplatePageLink[]
}

/** Page numbers around the current one, and at the ends. */
const AROUND = 1

/** Path of another page of the list. */
export function pathOfPage(page: PageContext, number: number): string {
  const path = pagedPath(firstPath(page.path), number)
  const words = page.request.query.get('s')
  const query = page.kind === 'search' && words !== null ? `?${new URLSearchParams({ s: words })}` : ''
  return path + query
}

/** Page numbers with gaps, `1 … 4 5 6 … 9`, or `undefined` if there is only one page (WordPress's `paginate_links`). */
export function toPagination(page: PageContext): TemplatePagination | undefined {
  const { pageNumber, totalPages } = page
  if (totalPages < 2) return undefined
  const pages: TemplatePageLink[] = []
  let skipped = false
  for (let number = 1; number <= totalPages; number++) {
    if (number > AROUND && number <= totalPages - AROUND && Math.abs(number - pageNumber) > AROUND) {
      // Skips the gap: a list may have thousands of pages.
      number = number < pageNumber ? pageNumber - AROUND - 1 : totalPages - AROUND
      skipped = true
      continue
    }
    if (skipped) pages.push({ label: '…', url: undefined, current: false })
    skipped = false
    const current = number === pageNumber
    pages.push({ label: String(number), url: current ? undefined : pathOfPage(page, number), current })
  }
  return {
    previous: pageNumber > 1 ? pathOfPage(page, pageNumber - 1) : undefined,
    next: pageNumber < totalPages ? pathOfPage(page, pageNumber + 1) : undefined,
    pages,
  }
}
