import { z } from 'zod'
import { toJson } from '../../../core/options/json.ts'
import type { JsonValue } from '../../../core/options/types.ts'
import { taxonomiesOf } from '../../content/routes/posts/index.ts'
import type { Content, PostType } from '../../content/types.ts'
import { plainText } from '../../text/plain-text.ts'

/** The writable fields of a post. */
export const written = z.object({
  title: z.string(),
  content: z.string().describe('HTML.'),
  excerpt: z.string().describe('HTML; empty if it is generated from the text.'),
  status: z.string(),
  slug: z.string(),
  terms: z
    .record(z.string(), z.array(z.int()))
    .describe('IDs of terms by taxonomy: { "category": [3], "post_tag": [] }.'),
  // Not z.json(), which contains itself: the protocols of models can't say that.
  meta: z.record(z.string(), z.unknown()).describe('Fields by name, such as { "_seo_description": "…" }.'),
})

export type Written = z.output<typeof written>

type Some<Fields> = { readonly [Name in keyof Fields]?: Fields[Name] | undefined }

const text = z.object({ raw: z.string().optional(), rendered: z.string() })

const envelope = z.looseObject({
  title: text,
  content: text.optional(),
  excerpt: text.optional(),
  status: z.string(),
  slug: z.string(),
  // PHP serializes an empty object as an empty list.
  meta: z.union([z.array(z.never()).transform(() => ({})), z.record(z.string(), z.unknown())]),
})

/** Reads the fields from a response of `wp/v2`: raw values if it contains them, otherwise rendered ones. */
export function readWritten(body: unknown, content: Content, type: PostType): Written {
  const { title, content: main, excerpt, status, slug, meta, ...fields } = envelope.parse(body)
  const idsOf = (field: string | null) => z.array(z.int()).catch([]).parse(fields[`${field}`])
  return {
    title: title.raw ?? plainText(title.rendered),
    content: main?.raw ?? main?.rendered ?? '',
    excerpt: excerpt?.raw ?? excerpt?.rendered ?? '',
    status,
    slug,
    terms: Object.fromEntries(
      taxonomiesOf(type, content.taxonomies()).map(({ name, restBase }) => [name, idsOf(restBase)]),
    ),
    meta,
  }
}

/** Flattens the fields to compare them: `title`, `terms.category`, `meta._seo_description`. */
export function flat({ terms = {}, meta = {}, ...fields }: Some<Written>): Record<string, JsonValue> {
  return Object.fromEntries<JsonValue>([
    ...Object.entries(fields).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, value]],
    ),
    ...Object.entries(terms).map(([name, ids]): [string, JsonValue] => [`terms.${name}`, ids]),
    ...Object.entries(meta).map(([key, value]): [string, JsonValue] => [`meta.${key}`, toJson(value, key)]),
  ])
}
