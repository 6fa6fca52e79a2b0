import { type AsCaller, asCaller, type ExtensionHost, plainText, type User } from 'pentad'
import { z } from 'zod'
import { STATUSES } from './redirects/types.ts'

const paging = {
  page: z.int().min(1).default(1),
  perPage: z.int().min(1).max(100).default(20),
}
const search = z.string().max(200).optional()

const missingPages = z.object({
  items: z.array(
    z.object({ id: z.int(), url: z.string(), hits: z.int(), lastSeenAt: z.string(), referrer: z.string().nullable() }),
  ),
  total: z.int(),
})

const redirect = z.object({
  id: z.int(),
  source: z.string(),
  target: z.string(),
  match: z.string(),
  status: z.int(),
  enabled: z.boolean(),
  hits: z.int(),
})
const redirects = z.object({ items: z.array(redirect), total: z.int() })

const page = z.object({ postId: z.int(), title: z.string(), url: z.string(), type: z.string() })
const pages = z.object({ items: z.array(page), total: z.int() })

const envelope = z.object({ data: z.unknown() })
type Query = Parameters<AsCaller['list']>[1]

/** The abilities of the SEO service: what models and agents can read and change. */
export function registerAbilities(host: ExtensionHost): void {
  const { abilities, rest } = host
  async function ask<Schema extends z.ZodType>(route: string, query: Query, schema: Schema, caller: User | null) {
    const { data } = envelope.parse(await asCaller(rest, caller).read(`/seo/v1${route}`, query))
    return schema.parse(data)
  }
  const common = { category: 'seo', permission: 'manage_options', readonly: true } as const

  abilities.registerCategory({
    slug: 'seo',
    label: 'SEO',
    description: 'How search engines and AI assistants find the site.',
  })

  abilities.register({
    ...common,
    name: 'seo/get-report',
    label: 'SEO report',
    description: 'Counts published posts and pages without a meta description, 404 errors, and redirects.',
    output: z.object({ withoutDescription: z.int(), missingPages: z.int(), redirects: z.int() }),
    async execute(_, caller) {
      const [missing, rules, undescribed] = await Promise.all([
        ask('/404s', { perPage: 1 }, missingPages, caller),
        ask('/redirects', { perPage: 1 }, redirects, caller),
        listWithoutDescription(host, { page: 1, perPage: 1 }),
      ])
      return { withoutDescription: undescribed.total, missingPages: missing.total, redirects: rules.total }
    },
  })

  abilities.register({
    ...common,
    name: 'seo/list-posts-without-description',
    label: 'Posts without a meta description',
    description:
      'Lists published posts and pages without a meta description. To add one, set the field _seo_description with content/edit-post.',
    input: z.object(paging),
    output: pages,
    permission: 'edit_posts',
    execute: (input) => listWithoutDescription(host, input),
  })

  abilities.register({
    ...common,
    name: 'seo/list-missing-pages',
    label: '404 errors',
    description: 'Lists URLs that returned 404, the most requested first.',
    input: z.object({ search, ...paging }),
    output: missingPages,
    execute: (input, caller) => ask('/404s', input, missingPages, caller),
  })

  abilities.register({
    ...common,
    name: 'seo/list-redirects',
    label: 'Redirects',
    description: 'Lists redirects.',
    input: z.object({ search, ...paging }),
    output: redirects,
    execute: (input, caller) => ask('/redirects', input, redirects, caller),
  })

  abilities.register({
    ...common,
    name: 'seo/list-orphans',
    label: 'Orphaned content',
    description: 'Lists pages that no other page on the site links to, newest first.',
    pro: true,
    input: z.object(paging),
    output: pages,
    execute: (input, caller) => ask('/orphans', input, pages, caller),
  })

  const rule = z.object({
    source: z.string().min(1).max(2048).describe('Path on this site.'),
    target: z.string().max(2048).default('').describe('Path on this site or http(s) URL; empty for 410 and 451.'),
    status: z.literal(STATUSES).default(301),
  })
  abilities.register({
    ...common,
    name: 'seo/create-redirect',
    label: 'Create a redirect',
    description: 'Redirects one URL to another.',
    input: rule,
    output: redirect,
    readonly: false,
    async execute(input, caller) {
      const response = await asCaller(rest, caller).write('POST', '/seo/v1/redirects', input)
      return z.object({ data: redirect }).parse(response).data
    },
    preview: ({ source, target, status }) => ({
      target: { type: 'redirect', id: null, title: source },
      summary: target === '' ? `Return ${status} for ${source}.` : `Redirect ${source} to ${target} (${status}).`,
      before: null,
      after: { source, target, status },
    }),
  })
}

/** Published posts of public types without a value in `_seo_description`, the newest first. */
async function listWithoutDescription(
  { content, database: { db } }: Pick<ExtensionHost, 'content' | 'database'>,
  { page, perPage }: { readonly page: number; readonly perPage: number },
): Promise<z.output<typeof pages>> {
  const types = [...content.postTypes().values()].filter((type) => type.public && type.name !== 'attachment')
  const wanted = db
    .selectFrom('posts')
    .where('status', '=', 'publish')
    .where(
      'type',
      'in',
      types.map(({ name }) => name),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('postmeta')
            .select('meta_id')
            .whereRef('post_id', '=', 'posts.id')
            .where('meta_key', '=', '_seo_description')
            .where('meta_value', '!=', '""'),
        ),
      ),
    )
  const { total } = await wanted.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await wanted
    .select('id')
    .orderBy('date_gmt', 'desc')
    .orderBy('id', 'desc')
    .limit(perPage)
    .offset((page - 1) * perPage)
    .execute()
  const posts = await content.posts.getMany(rows.map(({ id }) => id))
  const items = rows.flatMap(({ id }) => {
    const post = posts.get(id)
    return post
      ? [{ postId: id, title: plainText(content.renderTitle(post)), url: content.link(post), type: post.type }]
      : []
  })
  return { items, total: Number(total) }
}
