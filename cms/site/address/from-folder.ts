import type Koa from 'koa'
import type { Hooks } from '../../../core/hooks/types.ts'
import type { Options } from '../../../core/options/types.ts'
import { withoutFormerFolder } from '../../content/permalinks/former-folders.ts'
import type { Files } from '../files/index.ts'
import type { Sitemaps } from '../sitemap/index.ts'

/** Paths that every WordPress site has. */
const OF_EVERY_SITE = /^\/(?:wp-json(?:\/|$)|wp-admin(?:\/|$)|wp-login\.php$|robots\.txt$|favicon\.ico$)/

/**
 * Redirects requests for files and endpoints in the subdirectory of an imported site: uploads, sitemaps, the REST API,
 * the sign-in page.
 */
export function createFromFolder(parts: { options: Options; files: Files; sitemaps: Sitemaps }) {
  const { options, files, sitemaps } = parts

  return async (context: Koa.Context, hooks: Pick<Hooks, 'applyFiltersAsync'>): Promise<string | undefined> => {
    const path = withoutFormerFolder(options, context.path)
    if (path === undefined) return undefined
    const isHere =
      OF_EVERY_SITE.test(path) || (await files.hasUpload(path)) || (await sitemaps.respond(path, hooks)) !== undefined
    const target = isHere ? path : sitemaps.redirect(path)
    return target === undefined ? undefined : target + context.search
  }
}
