import { z } from 'zod'
import type { Fields } from './fields.ts'

/** A rendered text; in the context `edit` also the raw one. */
export const shownText = z.looseObject({ rendered: z.string(), raw: z.string().optional() })

/** The text of a post that may have a password. */
export const protectedText = z.looseObject({
  rendered: z.string(),
  raw: z.string().optional(),
  protected: z.boolean(),
  block_version: z.int().optional(),
})

/** Declared meta by key; as in WordPress, an empty list if none is declared. */
export const metaValues = z.union([z.array(z.never()), z.record(z.string(), z.unknown())])

/** Avatars by size in pixels. */
export const avatarShape = z.record(z.string(), z.string())

/** Texts of an editor by their names. */
export const labelShape = z.record(z.string(), z.string().nullable())

/** Capabilities of a user. */
export const capabilityShape = z.record(z.string(), z.boolean())

/** Link targets by relation. */
export const linksShape = z
  .record(z.string(), z.array(z.looseObject({ href: z.string() })))
  .meta({ id: 'Links', description: 'Link targets by relation.' })

const embeddedShape = z
  .record(z.string(), z.array(z.unknown()))
  .meta({ description: 'Linked resources requested with `_embed`, by relation.' })

/**
 * Schema of the response for one object, from its fields: those of the contexts `view` and `edit` are always required, others are optional.
 * Extensions can add fields. `context=embed` and `_fields` omit fields.
 * @param id name of its type in OpenAPI: `Post`
 */
export function itemShape<Item, Around>(id: string, fields: Fields<Item, Around>): z.ZodType {
  const shape = Object.entries(fields).map(([name, { contexts, schema }]) => {
    const isAlways = contexts.includes('view') && contexts.includes('edit')
    return [name, isAlways ? schema : schema.optional()] as const
  })
  return z
    .looseObject({ ...Object.fromEntries(shape), _links: linksShape.optional(), _embedded: embeddedShape.optional() })
    .meta({ id })
}

/** Response to a deletion. */
export function deletedShape(item: z.ZodType): z.ZodType {
  return z.object({ deleted: z.literal(true), previous: item })
}

/** The name of a type in OpenAPI from what people call it: `Posts`; from its own name where that has no ASCII letter. */
export function nameOf(label: string, name: string): string {
  return label.replaceAll(/[^A-Za-z0-9]+/g, '') || name
}
