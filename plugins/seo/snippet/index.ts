import {
  type ExtensionHost,
  isPublicSite,
  type Meta,
  type Post,
  RestError,
  type RestRequest,
  success,
  successSchema,
} from 'pentad'
import { z } from 'zod'
import { readFields } from '../fields.ts'
import { canonicalOf } from '../head/canonical.ts'
import type { Head } from '../head/index.ts'
import { robotsOf } from '../head/robots.ts'
import type { SeoSettings } from '../settings.ts'
import { draftPage } from './draft-page.ts'

const text = z.string().max(500_000).optional()
/** Created once: a request may contain many fields. */
const json = z.json()

const input = z.object({
  postId: z.int().min(1).max(2_147_483_647).optional().describe('ID of the post. Requires permission to edit it.'),
  type: z.string().max(100).default('post').describe('Post type of a post that is not saved yet.'),
  title: text.describe(
    'Unsaved title from the editor, which overrides the saved one. The same applies to content, excerpt, and meta.',
  ),
  content: text,
  excerpt: text,
  meta: z.record(z.string().max(100), z.unknown()).default({}).describe('Meta fields such as _seo_title.'),
})

const texts = { title: z.string(), description: z.string() }
const social = z.object({
  ...texts,
  image: z.object({
    ...{ url: z.string(), alt: z.string() },
    width: z.int().optional().describe('Width in pixels, for attachments of this site.'),
    ...{ height: z.int().optional(), type: z.string().optional() },
  }),
})
const snippetResponse = successSchema(
  z.object({
    ...texts,
    canonical: z.string().nullable(),
    robots: z.object({ index: z.boolean(), follow: z.boolean() }),
    ...{ openGraph: social, x: social },
    usual: z.object(texts).describe('The default title and description, without the SEO fields of the post.'),
  }),
)

/** `POST /snippet`: previews a post with unsaved changes in search results and on social media. Nothing is saved. */
export function registerSnippet(host: ExtensionHost, parts: { settings: () => SeoSettings; head: Head }): void {
  const { content, options, rest } = host

  async function postOf({ input: { postId, type }, can, user }: RestRequest<z.output<typeof input>>): Promise<Post> {
    const stored = postId === undefined ? undefined : await content.posts.get(postId)
    const registered = content.postTypes().get(stored?.type ?? type)
    if ((postId !== undefined && !stored) || !registered?.public)
      throw new RestError('post_not_found', 'Post not found.', { status: 404 })
    const mayEdit = stored ? await can('edit_post', stored.id) : await can(registered.capabilities.edit_posts)
    if (!mayEdit) throw new RestError('rest_forbidden', 'Sorry, you are not allowed to do that.', { status: 403 })
    return stored ?? newPost(registered.name, user?.id ?? 0)
  }

  rest.registerRoute('seo/v1', {
    method: 'POST',
    path: '/snippet',
    // The handler checks the post: a permission has no access to parameters.
    access: async ({ can }) => (await can('edit_posts')) || can('edit_pages'),
    summary: 'Previews a post in search results and on social media, with unsaved changes.',
    input,
    response: snippetResponse,
    async handler(request) {
      const { input, signal } = request
      const stored = await postOf(request)
      const { title = stored.title, content: body = stored.content, excerpt = stored.excerpt } = input
      // As if published: drafts are not public, and their text is not readable by visitors.
      const page = draftPage(host, { ...stored, status: 'publish', title, content: body, excerpt }, signal)
      const known = (await content.meta.of('post', [stored.id])).get(stored.id) ?? {}
      const others = Object.entries(known).filter(([key]) => !key.startsWith('_seo_'))
      const meta: Meta = { ...known, ...typed(input.meta) }
      const fields = readFields(meta)
      const shown = await parts.head.preview(page, meta)
      const usual = await parts.head.preview(page, Object.fromEntries(others))
      const robots = robotsOf(host, parts.settings(), { subject: page, fields, before: {} })
      return success({
        title: shown.title,
        description: shown.description,
        canonical: canonicalOf(host, { subject: page, fields, before: page.url }),
        robots: {
          index: isPublicSite(options) && robots.noindex !== true && robots.none !== true,
          follow: isPublicSite(options) && robots.nofollow !== true && robots.none !== true,
        },
        openGraph: shown.openGraph,
        x: shown.x,
        usual: { title: usual.title, description: usual.description },
      })
    },
  })
}

/** Values as they are stored; values that are not JSON become `null`. */
function typed(meta: Readonly<Record<string, unknown>>): Meta {
  return Object.fromEntries(
    Object.entries(meta).map(([key, value]) => {
      const read = json.safeParse(value)
      return [key, read.success && value !== null ? [read.data] : []]
    }),
  )
}

function newPost(type: string, authorId: number): Post {
  const now = new Date().toISOString().slice(0, 19)
  return {
    ...{ id: 0, type, status: 'draft', authorId, parentId: 0, menuOrder: 0, slug: '', path: '', title: '' },
    ...{ content: '', excerpt: '', password: '', commentStatus: 'closed', pingStatus: 'closed', commentCount: 0 },
    ...{ sticky: false, template: '', mimeType: '', guid: '' },
    ...{ date: now, dateGmt: now, modified: now, modifiedGmt: now },
  }
}
