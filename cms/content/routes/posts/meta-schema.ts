import { z } from 'zod'
import type { User } from '../../../../core/auth/types.ts'
import { inputSchema, type JsonSchema } from '../../../../core/schema/json-schema.ts'
import type { PostType } from '../../types.ts'
import type { WriteParts } from '../parts.ts'
import { mayWriteAtAll } from './meta.ts'

/**
 * The declared meta of a type as JSON schema: what `meta` of its posts may hold. A key that the user may not write is
 * `readOnly`.
 */
export function metaSchemaOf(
  type: PostType,
  user: User | null,
  { content, hooks }: Pick<WriteParts, 'content' | 'hooks'>,
): JsonSchema {
  const shape: Record<string, z.ZodType> = {}
  for (const { key, schema, single, showInRest, label, description, default: fallback } of content
    .metaFields('post', type.name)
    .values()) {
    if (!showInRest) continue
    const own = single ? schema : z.array(schema)
    shape[key] = own.optional().meta({
      ...(label !== '' && { title: label }),
      ...(description !== '' && { description }),
      ...(fallback !== undefined && { default: fallback }),
      ...(!mayWriteAtAll(hooks, key, user) && { readOnly: true }),
    })
  }
  return inputSchema(z.object(shape))
}
