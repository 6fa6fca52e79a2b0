import { type ExtensionHost, oneLine, success, successSchema } from 'pentad'
import { z } from 'zod'
import { readFields } from '../fields.ts'
import { defaultDescription } from '../head/description.ts'
import { siteName } from '../head/site-name.ts'
import { fillTemplate } from '../head/template.ts'
import { templatesFor } from '../head/templates.ts'
import { termsOf } from '../head/terms.ts'
import { VARIABLES } from '../head/variables.ts'
import type { SeoSettings } from '../settings.ts'
import { KINDS, samplePage } from './sample-pages.ts'

const template = z.string().max(2000)

const previewResponse = successSchema(
  z.object({ url: z.string(), siteName: z.string(), title: z.string(), description: z.string() }),
)

/** Previews templates in search results for a kind of page; `/snippet` previews a post that is being edited. */
export function registerPreview(host: ExtensionHost, { settings }: { settings: () => SeoSettings }): void {
  const { content, rest } = host

  rest.registerRoute('seo/v1', {
    method: 'GET',
    path: '/title-variables',
    access: 'edit_posts',
    summary: 'Lists the variables available in titles and descriptions.',
    response: successSchema(z.object({ variables: z.array(z.object({ name: z.string(), description: z.string() })) })),
    handler() {
      const separator = { name: 'sep', description: 'Title separator; omitted next to empty parts' }
      const others = Object.entries(VARIABLES).map(([name, { description }]) => ({ name, description }))
      return success({ variables: [separator, ...others] })
    },
  })

  rest.registerRoute('seo/v1', {
    method: 'POST',
    path: '/title-preview',
    access: 'manage_options',
    summary: 'Previews a search result for title and description templates. Nothing is saved.',
    input: z.object({
      kind: z
        .enum(KINDS)
        .default('post')
        .describe('Kind of page to preview. The newest post or the term with the most posts is shown.'),
      title: template.optional().describe('Title template. Defaults to the saved one.'),
      description: template.optional().describe('Description template. Defaults to the saved one.'),
      separator: z.string().max(10).optional().describe('Title separator. Defaults to the `titleSeparator` setting.'),
    }),
    response: previewResponse,
    async handler({ input }) {
      const { page, url } = await samplePage(host, input.kind)
      const subject = page.post ? 'post' : 'term'
      const id = page.post?.id ?? page.term?.id
      const fields = readFields(id === undefined ? {} : (await content.meta.of(subject, [id])).get(id))
      const source = { host, page, fields, terms: await termsOf(host, page, fields) }
      const current = settings()
      const usual = templatesFor(page, current)
      const fill = (text: string) => fillTemplate(text, input.separator ?? current.titleSeparator, source)
      const title = await fill(input.title || usual.title)
      const description = await fill(input.description || usual.description)
      return success({
        url,
        siteName: siteName(host),
        title: title || oneLine(page.title) || siteName(host),
        description: description || oneLine(await defaultDescription(host, page)),
      })
    },
  })
}
