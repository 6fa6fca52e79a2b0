import { type AnswerOf, type ExtensionHost, success, successAnswer } from 'pentad'
import { z } from 'zod'
import { legacyPlugins } from './plugins/index.ts'
import { countPosts } from './stored.ts'
import { LEGACY_IDS } from './types.ts'

const reportShape = z.object({
  ...{ id: z.enum(LEGACY_IDS), name: z.string() },
  posts: z.int().describe('Posts with at least one value of it.'),
  settings: z.boolean().describe("Settings of it are among the site's options."),
})
type LegacyReport = AnswerOf<typeof reportShape>

/** `GET /legacy-seo`: which other SEO plugins left data, and how many posts each covers. */
export function registerLegacyReport(host: ExtensionHost): void {
  host.rest.registerRoute('seo/v1', {
    method: 'GET',
    path: '/legacy-seo',
    access: 'manage_options',
    summary: 'Which other SEO plugins left data, and how many posts each covers.',
    answer: successAnswer(z.object({ plugins: z.array(reportShape) })),
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
