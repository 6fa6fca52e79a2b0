import { z } from 'zod'
import { dateSchema, pathId } from '../parameters.ts'
import { STATUSES } from '../posts/write-parameters.ts'

/** A text as a string, or as in responses: `{ raw, rendered }`. Ignored without `raw`, as in WordPress. */
const text = z.union([z.string(), z.object({ raw: z.string().optional() }).transform(({ raw }) => raw)]).optional()

const rowId = z.int().min(0).max(2_147_483_647)

const FIELDS = {
  title: text.describe('The title for the post.'),
  caption: text.describe('The attachment caption.'),
  description: text.describe('The attachment description.'),
  alt_text: z.string().optional().describe('Alternative text to display when attachment is not displayed.'),
  post: rowId.optional().describe('The ID for the associated post of the attachment.'),
  author: rowId.optional().describe('The ID for the author of the post.'),
  date: dateSchema.describe("The date the post was published, in the site's timezone."),
  date_gmt: dateSchema.describe('The date the post was published, as GMT.'),
  slug: z.string().optional().describe('An alphanumeric identifier for the post unique to its type.'),
  status: z.enum(STATUSES).optional().describe('A named status for the post.'),
  comment_status: z.enum(['open', 'closed']).optional(),
  ping_status: z.enum(['open', 'closed']).optional(),
  meta: z.record(z.string(), z.unknown()).optional().describe('Meta fields.'),
  template: z.string().max(200).optional().describe('The theme file to use to display the post.'),
}

const versionSchema = dateSchema.describe('Responds with 409 if the file was modified after this date (GMT).')

export const createSchema = z.object(FIELDS)
/** Accepts the attachment's own status `inherit`, which clients may send back. */
export const updateSchema = z.object({
  id: pathId,
  ...FIELDS,
  status: z.string().optional().describe('A named status for the post.'),
  modified_gmt: versionSchema,
})

/** Requested fields of a new or changed attachment. */
export type AskedMedia = Omit<z.output<typeof updateSchema>, 'id' | 'modified_gmt'>

export const deleteSchema = z.object({
  id: pathId,
  force: z.boolean().default(false).describe('Whether to bypass Trash and force deletion.'),
  modified_gmt: versionSchema,
})

export const postProcessSchema = z.object({ id: pathId, action: z.enum(['create-image-subsizes']) })

const percent = z.number().min(0).max(100)
const rotation = z.object({ type: z.literal('rotate'), args: z.object({ angle: z.number() }) })
const crop = z.object({
  type: z.literal('crop'),
  args: z.object({ left: percent, top: percent, width: percent, height: percent }),
})

export const editSchema = z.object({
  id: pathId,
  src: z.string().describe('URL to the edited image file.'),
  modifiers: z
    .array(z.union([rotation, crop]))
    .max(20)
    .optional()
    .describe('Array of image edits.'),
  rotation: z.int().gt(0).lt(360).optional().describe('The amount to rotate the image clockwise in degrees.'),
  x: percent.optional().describe('As a percentage of the image, the x position to start the crop from.'),
  y: percent.optional().describe('As a percentage of the image, the y position to start the crop from.'),
  width: percent.optional().describe('As a percentage of the image, the width to crop the image to.'),
  height: percent.optional().describe('As a percentage of the image, the height to crop the image to.'),
})

export type AskedEdit = z.output<typeof editSchema>
