import { picturesOf } from '../../content/profile-pictures.ts'
import type { Content, MediaDetails } from '../../content/types.ts'
import { currentPage } from '../current-page.ts'
import type { PageDataCache } from './page-data-cache.ts'

/** Profile pictures of users by ID of the user; users without one are missing. Adds the cache tags to the page. */
export type FindPortraits = (userIds: readonly number[]) => Promise<ReadonlyMap<number, MediaDetails>>

export function createPortraits({ content, pageData }: { content: Content; pageData: PageDataCache }): FindPortraits {
  const find = pageData.remember(async (key) =>
    picturesOf(content, await content.meta.of('user', key.split(',').map(Number))),
  )
  return async (userIds) => {
    if (userIds.length === 0) return new Map()
    const found = await find(userIds.join(','))
    const tags = [...found.values()].map(({ id }) => `post-${id}`)
    currentPage()?.addTags(...userIds.map((id) => `author-${id}`), ...tags)
    return new Map([...found].flatMap(([user, { details }]) => (details ? [[user, details] as const] : [])))
  }
}
