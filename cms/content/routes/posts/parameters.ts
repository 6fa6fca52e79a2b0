import { z } from 'zod'
import type { PostType, Taxonomy } from '../../types.ts'
import { dateSchema, idList, LIST, orderSchema, slugList } from '../parameters.ts'

const ORDERS = [
  'author',
  'date',
  'id',
  'include',
  'modified',
  'parent',
  'relevance',
  'slug',
  'include_slugs',
  'title',
] as const
const COLUMNS = ['post_title', 'post_content', 'post_excerpt'] as const
const MEDIA_TYPES = ['image', 'video', 'text', 'application', 'audio'] as const

const termIds = z.array(z.int())
const termObject = z.strictObject({
  terms: termIds.default([]),
  include_children: z.boolean().default(false),
})

/** Terms of a taxonomy: ids, or an object with operator and options. */
export const termsSchema = z.union([termIds, termObject.extend({ operator: z.enum(['AND', 'OR']).default('OR') })])
export const termsExcludeSchema = z.union([termIds, termObject])

const COMMON = {
  ...LIST,
  after: dateSchema.describe('Limit response to items published after a given ISO8601 compliant date.'),
  modified_after: dateSchema.describe('Limit response to items modified after a given ISO8601 compliant date.'),
  before: dateSchema.describe('Limit response to items published before a given ISO8601 compliant date.'),
  modified_before: dateSchema.describe('Limit response to items modified before a given ISO8601 compliant date.'),
  order: orderSchema('desc'),
  orderby: z.enum(ORDERS).default('date').describe('Sort collection by post attribute.'),
  search_columns: z.array(z.enum(COLUMNS)).default([]).describe('Array of column names to be searched.'),
  slug: slugList.optional(),
  status: z.array(z.string()).default(['publish']).describe('Limit result set to items assigned one or more statuses.'),
}

const AUTHORS = {
  author: idList.describe('Limit result set to items assigned to specific authors.'),
  author_exclude: idList.describe('Ensure result set excludes items assigned to specific authors.'),
}
const PARENTS = {
  parent: idList.describe('Limit result set to items with particular parent IDs.'),
  parent_exclude: idList.describe('Limit result set to all items except those of a particular parent ID.'),
}
const MENU_ORDER = {
  orderby: z
    .enum([...ORDERS, 'menu_order'])
    .default('date')
    .describe('Sort collection by post attribute.'),
  menu_order: z.int().optional().describe('Limit result set to items with a specific menu_order value.'),
}
const MEDIA = {
  status: z.array(z.string()).default(['inherit']).describe('Limit result set to items assigned one or more statuses.'),
  media_type: z.enum(MEDIA_TYPES).optional().describe('Limit result set to attachments of a particular media type.'),
  mime_type: z.string().max(200).optional().describe('Limit result set to attachments of a particular MIME type.'),
}
const STICKY = { sticky: z.boolean().optional().describe('Limit result set to items that are sticky.') }
const TAX_RELATION = {
  tax_relation: z
    .enum(['AND', 'OR'])
    .optional()
    .describe('Limit result set based on relationship between multiple taxonomies.'),
}

/** Every parameter that a list of posts of some type takes, the terms apart; what a type does not take is missing. */
export const anyListSchema = z
  .object({ ...COMMON, ...AUTHORS, ...PARENTS, ...MENU_ORDER, ...MEDIA, ...STICKY, ...TAX_RELATION })
  .partial({ parent: true, parent_exclude: true, author: true, author_exclude: true })

export type AskedList = z.output<typeof anyListSchema>

/** The parameters of one type's list, in WordPress's order. */
export function listSchema(type: PostType, taxonomies: readonly Taxonomy[]): z.ZodObject {
  const shape: Record<string, z.ZodType> = { ...COMMON }
  if (type.supports.includes('author')) Object.assign(shape, AUTHORS)
  if (type.supports.includes('page-attributes')) Object.assign(shape, MENU_ORDER)
  if (type.hierarchical || type.name === 'attachment') Object.assign(shape, PARENTS)
  if (type.name === 'attachment') Object.assign(shape, MEDIA)
  if (taxonomies.length > 0) Object.assign(shape, TAX_RELATION)
  for (const { restBase } of taxonomies) {
    const assigned = `with specific terms assigned in the ${restBase} taxonomy.`
    shape[`${restBase}`] = termsSchema.optional().describe(`Limit result set to items ${assigned}`)
    shape[`${restBase}_exclude`] = termsExcludeSchema
      .optional()
      .describe(`Limit result set to items except those ${assigned}`)
  }
  if (type.name === 'post') Object.assign(shape, STICKY)
  return z.object(shape)
}
