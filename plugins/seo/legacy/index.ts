import { type ExtensionHost, type ResponseOf, success, successSchema } from 'pentad'
import { z } from 'zod'
import { legacyPlugins } from './plugins/index.ts'
import { countPosts } from './stored.ts'
import { LEGACY_IDS } from './types.ts'

const reportShape = z.object({
  ...{ id: z.enum(LEGACY_IDS), name: z.string() },
  posts: z.int().describe('Number of posts with data from the plugin.'),
  settings: z.boolean().describe('Whether settings of the plugin were found.'),
})
type LegacyReport = ResponseOf<typeof reportShape>

/** `GET /legacy-seo`: which other SEO plugins left data, and how many posts each covers. */
export function registerLegacyReport(host: ExtensionHost): void {
  host.rest.registerRoute('seo/v1', {
    method: 'GET',
    path: '/legacy-seo',
    access: 'manage_options',
    summary: 'Lists other SEO plugins whose data was found, with the number of posts for each.',
    response: successSchema(z.object({ plugins: z.array(reportShape) })),
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
