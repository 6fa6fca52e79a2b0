import { z } from 'zod'
import type { PostType, Taxonomy } from '../../types.ts'
import { contextSchema, dateSchema, pathId } from '../parameters.ts'

export const STATUSES = ['publish', 'future', 'draft', 'pending', 'private'] as const
/** WordPress's `get_post_format_slugs`. */
export const FORMATS = [
  ...(['standard', 'aside', 'chat', 'gallery', 'link', 'image', 'quote', 'status', 'video', 'audio'] as const),
] as const

const rowId = z.int().min(0).max(2_147_483_647)
const openOrClosed = z.enum(['open', 'closed'])
/** Text, or an object as in responses. */
const text = z.union([z.string(), z.object({ raw: z.string().optional() })])
const date = dateSchema.unwrap().nullable()

const COMMON = {
  date: date.describe("The date the post was published, in the site's timezone. `null` clears the date of a draft."),
  date_gmt: date.describe('The date the post was published, as GMT.'),
  slug: z.string().describe('An alphanumeric identifier for the post unique to its type.'),
  password: z.string().max(255).describe('A password to protect access to the content and excerpt.'),
  title: text.describe('The title for the post.'),
  content: text.describe('The content for the post.'),
  excerpt: text.describe('The excerpt for the post.'),
  author: rowId.describe('The ID for the author of the post.'),
  featured_media: rowId.describe('The ID of the featured media for the post.'),
  parent: rowId.describe('The ID for the parent of the post.'),
  menu_order: z.int().min(-2_147_483_648).max(2_147_483_647).describe('The order of the post in relation to others.'),
  comment_status: openOrClosed.describe('Whether or not comments are open on the post.'),
  ping_status: openOrClosed.describe('Whether or not the post can be pinged.'),
  sticky: z.boolean().describe('Whether or not the post should be treated as sticky.'),
  template: z.string().max(255).describe('The theme file to use to display the post.'),
  format: z.enum(FORMATS).describe('The format for the post.'),
  meta: z.record(z.string(), z.unknown()).describe('Meta fields.'),
}

/** Everything that a write of some type may hold, the terms apart. */
export const anyPostSchema = z.object({ ...COMMON, status: z.string(), modified_gmt: dateSchema.unwrap() }).partial()

export type AskedPost = z.output<typeof anyPostSchema>

/** The fields that a type takes, in WordPress's order. */
function fieldsOf(type: PostType, taxonomies: readonly Taxonomy[]): Record<string, z.ZodType> {
  const supports = (feature: string) => type.supports.includes(feature)
  const { date, date_gmt, slug, password, template, meta } = COMMON
  const { title, content, excerpt, author, featured_media, parent, menu_order } = COMMON
  const { comment_status, ping_status, sticky, format } = COMMON
  const shape: Record<string, z.ZodType> = {
    ...{ date, date_gmt, slug, password },
    ...(type.hierarchical && { parent }),
    title,
    ...(supports('editor') && { content }),
    ...(supports('author') && { author }),
    ...((supports('excerpt') || type.name === 'page') && { excerpt }),
    ...(supports('thumbnail') && { featured_media }),
    ...(supports('comments') && { comment_status, ping_status }),
    ...(supports('page-attributes') && { menu_order }),
    ...(type.name === 'post' && { format, sticky }),
    ...{ meta, template },
  }
  for (const { restBase, label } of taxonomies)
    shape[`${restBase}`] = z.array(rowId).describe(`The terms assigned to the post in ${label}.`)
  return shape
}

const versionSchema = dateSchema
  .unwrap()
  .describe('If the post was modified after this date (GMT), the request fails with 409.')

/** Parameters for creating a post. */
export function createSchema(type: PostType, taxonomies: readonly Taxonomy[]): z.ZodObject {
  const shape = { ...fieldsOf(type, taxonomies), status: z.enum(STATUSES).describe('A named status for the post.') }
  return z.object(optional({ ...shape, id: pathId }))
}

/**
 * Parameters for updating a post. Its own status is accepted whatever it is. `modified_gmt`, which WordPress ignores, identifies the
 * version that the caller has seen.
 */
export function updateSchema(type: PostType, taxonomies: readonly Taxonomy[]): z.ZodObject {
  const shape = { ...fieldsOf(type, taxonomies), status: z.string().describe('A named status for the post.') }
  return z.object({ id: pathId, ...optional({ ...shape, modified_gmt: versionSchema }) })
}

export const deleteSchema = z.object({
  id: pathId,
  force: z.boolean().default(false).describe('Whether to bypass Trash and force deletion.'),
  context: contextSchema,
  modified_gmt: versionSchema.optional(),
})

function optional(shape: Record<string, z.ZodType>): Record<string, z.ZodType> {
  return Object.fromEntries(Object.entries(shape).map(([name, schema]) => [name, schema.optional()]))
}
