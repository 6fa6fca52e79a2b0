import { z } from 'zod'
import { contextSchema, idList, LIST, orderSchema, pathId } from '../parameters.ts'

const LARGEST_ID = 2_147_483_647
const id = z.int().min(0).max(LARGEST_ID)
const line = z.string().max(1000)
/** A list, or as forms send it, words with blanks between them. */
const words = z.preprocess(
  (value) => (typeof value === 'string' ? value.split(/[\s,]+/).filter((word) => word !== '') : value),
  z.array(z.string().max(100)).max(50),
)

export const listSchema = z.object({
  ...LIST,
  per_page: z.int().min(1).max(100).default(100).describe('Maximum number of items to be returned in result set.'),
  order: orderSchema('asc'),
  orderby: z.enum(['menu_order']).default('menu_order').describe('Sort collection by object attribute.'),
  menus: idList.describe('Limit result set to items of these menus.'),
})

export const itemSchema = z.object({ id: pathId, context: contextSchema })

const fields = {
  title: z
    .union([line, z.object({ raw: line })])
    .optional()
    .describe('The title for the object. If empty, the title of the linked object is used.'),
  type: z
    .enum(['taxonomy', 'post_type', 'post_type_archive', 'custom'])
    .optional()
    .describe('The family of objects originally represented, such as "post_type" or "taxonomy".'),
  object: z
    .string()
    .max(32)
    .optional()
    .describe('The type of object originally represented, such as "category", "post", or "attachment".'),
  object_id: id.optional().describe('The database ID of the original object this menu item represents.'),
  url: z.string().max(2000).optional().describe('The URL to which this menu item points.'),
  parent: id.optional().describe('The ID for the parent of the object.'),
  menu_order: z.int().min(1).max(LARGEST_ID).optional().describe('The position of the item in its menu.'),
  target: z.enum(['_blank', '']).optional().describe('The target attribute of the link element for this menu item.'),
  classes: words.optional().describe('Class names for the link element of this menu item.'),
  xfn: words.optional().describe('The XFN relationship expressed in the link of this menu item.'),
  description: z.string().max(10_000).optional().describe('The description of this menu item.'),
  attr_title: line.optional().describe('Text for the title attribute of the link element for this menu item.'),
}

export const createSchema = z.object({ ...fields, menus: id.describe('The ID of the menu that the item belongs to.') })
export const updateSchema = z.object({ id: pathId, ...fields, menus: id.optional() })
export const deleteSchema = z.object({
  id: pathId,
  force: z.boolean().default(false).describe('Required to be true, as menu items do not support trashing.'),
})
