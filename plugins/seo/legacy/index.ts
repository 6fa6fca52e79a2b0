import { type ExtensionHost, success } from 'pentad'
import { legacyPlugins } from './plugins/index.ts'
import { countPosts } from './stored.ts'
import type { LegacyId } from './types.ts'

interface LegacyReport {
  readonly id: LegacyId
  readonly name: string
  /** Posts with at least one value of it. */
  readonly posts: number
  /** Whether settings of it are among the site's options. */
  readonly settings: boolean
}

/** `GET /legacy-seo`: which other SEO plugins left data, and how many posts each covers. */
export function registerLegacyReport(host: ExtensionHost): void {
  host.rest.registerRoute('seo/v1', {
    method: 'GET',
    path: '/legacy-seo',
    access: 'manage_options',
    summary: 'Which other SEO plugins left data, and how many posts each covers.',
    async handler() {
      return success({ plugins: await reportLegacy(host) })
    },
  })
}

async function reportLegacy({ database, options }: ExtensionHost): Promise<LegacyReport[]> {
  const reports: LegacyReport[] = []
  for (const plugin of Object.values(legacyPlugins)) {
    const { id, name, optionNames } = plugin
    const posts = await countPosts(database, plugin)
    const settings = optionNames.some((record) => options.get(record) !== undefined)
    if (posts > 0 || settings) reports.push({ id, name, posts, settings })
  }
  return reports
}
