import type { PageContext } from 'pentad'

/** What a page is about, as far as search engines are told. Every `PageContext` is one. */
export type Subject = Pick<PageContext, 'kind' | 'url'> &
  Partial<Pick<PageContext, 'post' | 'term' | 'author' | 'postType' | 'date' | 'search' | 'pageNumber' | 'total'>>

/** Whether it is what stands at `/`: the page that takes that place, or the list of posts. */
export function isHome({ kind, post }: Pick<Subject, 'kind' | 'post'>): boolean {
  return kind === 'front-page' || (kind === 'home' && !post)
}
