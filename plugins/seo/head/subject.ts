import type { PageContext } from 'pentad'

/** The page as far as search engines are concerned. Every `PageContext` is one. */
export type Subject = Pick<PageContext, 'kind' | 'url'> &
  Partial<Pick<PageContext, 'post' | 'term' | 'author' | 'postType' | 'date' | 'search' | 'pageNumber' | 'total'>>

/** Whether the page is at `/`: the static front page or the list of posts. */
export function isHome({ kind, post }: Pick<Subject, 'kind' | 'post'>): boolean {
  return kind === 'front-page' || (kind === 'home' && !post)
}
