import { z } from 'zod'
import { metaSchema } from '../declared-meta.ts'
import { dateSchema, pathId } from '../parameters.ts'

const id = z.int().min(0).max(2_147_483_647)

/** Accepted values for a status, WordPress's `handle_status_param`. */
export const STATUSES = ['approved', 'approve', '1', 'hold', '0', 'spam', 'unspam', 'trash', 'untrash'] as const

const fields = {
  author: id.optional().describe('The ID of the user object, if author was a user.'),
  author_name: z.string().max(1000).optional().describe('Display name for the comment author.'),
  author_email: z
    .union([z.email(), z.literal('')])
    .optional()
    .describe('Email address for the comment author.'),
  author_url: z
    .union([z.url({ protocol: /^https?$/ }), z.literal('')])
    .optional()
    .describe('URL for the comment author.'),
  author_ip: z.union([z.ipv4(), z.ipv6()]).optional().describe('IP address for the comment author.'),
  author_user_agent: z.string().max(1000).optional().describe('User agent for the comment author.'),
  content: z
    .union([z.string(), z.object({ raw: z.string().optional() })])
    .optional()
    .describe('The content for the comment.'),
  date: dateSchema.describe("The date the comment was published, in the site's timezone."),
  date_gmt: dateSchema.describe('The date the comment was published, as GMT.'),
  meta: metaSchema,
  parent: id.optional().describe('The ID for the parent of the comment.'),
  post: id.optional().describe('The ID of the associated post object.'),
  status: z.enum(STATUSES).optional().describe('State of the comment.'),
  type: z.string().optional().describe('Type of the comment.'),
  password: z.string().optional().describe('The password for the post if it is password protected.'),
}

export const createSchema = z.object({ ...fields, id: pathId.optional() })
export const updateSchema = z.object({ id: pathId, ...fields })
export const deleteSchema = z.object({
  id: pathId,
  force: z.boolean().default(false).describe('Whether to bypass Trash and force deletion.'),
  password: fields.password,
})

export type AskedComment = Omit<z.output<typeof createSchema>, 'id'>
