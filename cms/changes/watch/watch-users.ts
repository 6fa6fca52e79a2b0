import { PROFILE_PICTURE } from '../../content/profile-pictures.ts'
import { joinPages, type Pages, withFeed } from './lists.ts'
import type { OrAll, PurgePages } from './purge-pages.ts'
import type { SiteParts } from './site-parts.ts'

const NOTHING: Pages = { tags: [], paths: [] }

const tagsOfAuthor = (id: number) => [`author-${id}`, `archive-author-${id}`]

/** Purges pages when public data of authors changes. */
export function watchUsers(
  { auth, content, hooks }: Pick<SiteParts, 'auth' | 'content' | 'hooks'>,
  { isOn, purgePages, orAll }: { isOn: () => boolean; purgePages: PurgePages; orAll: OrAll },
): void {
  const authorPaths = (slug: string) => withFeed(content.permalinks().author(slug))
  hooks.addAction('profile_update', (id, before, user) => {
    const isShownField = (['displayName', 'slug', 'description', 'url', 'email'] as const).some(
      (field) => before[field] !== user[field],
    )
    if (!isOn() || !isShownField) return
    const isMoved = before.slug !== user.slug
    const moved: Pages = isMoved ? { tags: ['404', 'sitemap-users'], paths: authorPaths(before.slug) } : NOTHING
    purgePages(joinPages({ tags: [`author-${id}`], paths: authorPaths(user.slug) }, moved), `User ${id} was changed.`)
  })
  const changePicture = orAll(async (id: number, key: string) => {
    if (!isOn() || key !== PROFILE_PICTURE) return
    const user = await auth.users.get(id)
    const paths = user ? authorPaths(user.slug) : []
    purgePages({ tags: [`author-${id}`], paths }, `The profile picture of user ${id} was changed.`)
  })
  hooks.addAction('added_user_meta', (_, id, key) => changePicture(id, key))
  hooks.addAction('updated_user_meta', (_, id, key) => changePicture(id, key))
  hooks.addAction('deleted_user_meta', (_, id, key) => changePicture(id, key))
  hooks.addAction(
    'deleted_user',
    orAll(async (id, reassign, user) => {
      if (!isOn()) return
      const heir = reassign === null ? undefined : await auth.users.get(reassign)
      const tags = ['404', 'sitemap-users', ...[id, ...(heir ? [heir.id] : [])].flatMap(tagsOfAuthor)]
      const paths = [...authorPaths(user.slug), ...(heir ? authorPaths(heir.slug) : [])]
      purgePages({ tags, paths }, `User ${id} was deleted.`)
    }),
  )
}
