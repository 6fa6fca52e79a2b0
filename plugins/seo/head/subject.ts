import type { PageContext } from 'pentad'

/** What a page is about, as far as search engines are told. Every `PageContext` is one. */
export type Subject = Pick<PageContext, 'kind' | 'url'> &
  Partial<Pick<PageContext, 'post' | 'term' | 'author' | 'postType' | 'date' | 'search' | 'pageNumber' | 'total'>>
