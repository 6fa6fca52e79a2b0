import type Koa from 'koa'
import type { Hooks } from '../../../core/hooks/types.ts'
import type { Options } from '../../../core/options/types.ts'
import { withoutFormerFolder } from '../../content/permalinks/former-folders.ts'
import type { Files } from '../files/index.ts'
import type { Sitemaps } from '../sitemap/index.ts'

/** Addresses of WordPress that every site has. */
const OF_EVERY_SITE = /^\/(?:wp-json(?:\/|$)|wp-admin(?:\/|$)|wp-login\.php$|robots\.txt$|favicon\.ico$)/

/**
 * Where something is that is no page, and that was asked for in the folder that an imported site lay in: an upload, a
 * sitemap, the REST API, the sign-in page.
 */
export function createFromFolder(parts: { options: Options; files: Files; sitemaps: Sitemaps }) {
  const { options, files, sitemaps } = parts

  return async (context: Koa.Context, hooks: Pick<Hooks, 'applyFiltersAsync'>): Promise<string | undefined> => {
    const path = withoutFormerFolder(options, context.path)
    if (path === undefined) return undefined
    const isHere =
      OF_EVERY_SITE.test(path) || (await files.hasUpload(path)) || (await sitemaps.answer(path, hooks)) !== undefined
    const target = isHere ? path : sitemaps.redirect(path)
    return target === undefined ? undefined : target + context.search
  }
}
