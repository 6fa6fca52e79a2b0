import type { Options } from '../../core/options/types.ts'

/** Whether search engines may index the site: WordPress's option `blog_public`. */
export function isPublicSite(options: Pick<Options, 'get'>): boolean {
  const value = options.get('blog_public')
  return value !== false && value !== 0 && value !== '0'
}
