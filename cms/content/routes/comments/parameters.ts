import { z } from 'zod'
import { contextSchema, dateSchema, idList, LIST, orderSchema, pathId } from '../parameters.ts'

const ORDERS = ['date', 'date_gmt', 'id', 'include', 'post', 'parent', 'type'] as const
const password = z.string().optional().describe('The password for the post if it is password protected.')

export const listSchema = z.object({
  ...LIST,
  after: dateSchema.describe('Limit response to comments published after a given ISO8601 compliant date.'),
  author: idList.describe('Limit result set to comments assigned to specific user IDs.'),
  author_exclude: idList.describe('Ensure result set excludes comments assigned to specific user IDs.'),
  author_email: z.email().optional().describe('Limit result set to that from a specific author email.'),
  before: dateSchema.describe('Limit response to comments published before a given ISO8601 compliant date.'),
  order: orderSchema('desc'),
  orderby: z.enum(ORDERS).default('date_gmt').describe('Sort collection by comment attribute.'),
  parent: idList.describe('Limit result set to comments of specific parent IDs.'),
  parent_exclude: idList.describe('Ensure result set excludes specific parent IDs.'),
  post: idList.describe('Limit result set to comments assigned to specific post IDs.'),
  status: z.string().default('approve').describe('Limit result set to comments assigned a specific status.'),
  type: z.string().default('comment').describe('Limit result set to comments assigned a specific type.'),
  password,
})

export type AskedComments = z.output<typeof listSchema>

export const itemSchema = z.object({ id: pathId, context: contextSchema, password })

/** Maps WordPress's names of a status to stored ones; `null` means all except trash. */
export function statusesOf(name: string): readonly string[] | null | undefined {
  switch (name) {
    case 'approve':
    case 'approved':
    case '1':
      return ['approved']
    case 'hold':
    case '0':
      return ['hold']
    case 'spam':
    case 'trash':
      return [name]
    case 'all':
    case 'any':
      return null
    default:
      return undefined
  }
}
