import { isDeepStrictEqual } from 'node:util'
import { type Content, type JsonValue, type Meta, plainText } from 'pentad'
import type { Tally } from './tally.ts'
import { type Place, translate } from './translate.ts'
import type { LegacyFields, LegacyPlugin } from './types.ts'
import { flagOf, isEmpty, itemsOf, textOf } from './values.ts'

/** A post or term that receives imported fields. */
export interface Thing extends Place {
  readonly kind: 'post' | 'term'
  readonly id: number
  /** Post type or taxonomy. */
  readonly subtype: string
  /** All stored meta. */
  readonly meta: Meta
}

const KEYS = {
  title: '_seo_title',
  description: '_seo_description',
  canonical: '_seo_canonical',
  noindex: '_seo_noindex',
  nofollow: '_seo_nofollow',
  ogTitle: '_seo_og_title',
  ogDescription: '_seo_og_description',
  ogImage: '_seo_og_image',
  xTitle: '_seo_x_title',
  xDescription: '_seo_x_description',
  xImage: '_seo_x_image',
  primaryCategory: '_seo_primary_category',
  schemaType: '_seo_schema_type',
  focusKeyword: '_seo_focus_keyword',
} as const

type OurField = keyof typeof KEYS
type OurValues = Partial<Record<OurField, JsonValue>>

/** Fields that can contain variables. */
const TEMPLATES: ReadonlySet<string> = new Set([
  'title',
  'description',
  'ogTitle',
  'ogDescription',
  'xTitle',
  'xDescription',
])
/** Directives that state the default. */
const USUAL: ReadonlySet<string> = new Set(['index', 'follow', 'all', 'none', '-', ''])

/** Imports values of another plugin into the SEO fields. */
export function createFieldImport(
  content: Content,
  plugin: LegacyPlugin,
  { dryRun, overwrite, tally }: { dryRun: boolean; overwrite: boolean; tally: Tally },
): (thing: Thing, theirs: LegacyFields) => Promise<boolean> {
  async function ourValues(thing: Thing, theirs: LegacyFields): Promise<OurValues> {
    const ours: OurValues = {}
    for (const [field, value] of Object.entries(theirs)) {
      if (value === undefined || isEmpty(value)) continue
      if (isTemplate(field)) ours[field] = await toTemplate(thing, value)
      else if (field === 'noindex' || field === 'nofollow') Object.assign(ours, flagOf(value) && { [field]: true })
      else if (field === 'robots') Object.assign(ours, readRobots(value, tally))
      else if (field === 'primaryCategory') ours[field] = await toCategory(thing, Number(textOf(value)))
      else if (isOurs(field)) ours[field] = plainText(textOf(value))
    }
    return ours
  }

  async function toTemplate(thing: Thing, value: JsonValue): Promise<string> {
    const { text, writtenOut, lost } = await translate(textOf(value), plugin.variables, thing)
    tally.writtenOut += writtenOut.length
    for (const variable of lost) tally.miss(`variable ${variable}`)
    return text
  }

  /** The same ID may belong to a different term on this site: it must be a category of the post. */
  async function toCategory({ id }: Thing, termId: number): Promise<number> {
    const categories = (await content.terms.ofPosts([id])).get(id)?.category ?? []
    if (categories.includes(termId)) return termId
    tally.miss('primary category: not assigned to the post')
    return 0
  }

  return async (thing, theirs) => {
    const declared = content.metaFields(thing.kind, thing.subtype)
    let isChanged = false
    for (const [field, value] of Object.entries(await ourValues(thing, theirs))) {
      const key = isOurs(field) ? KEYS[field] : undefined
      const schema = key && declared.get(key)?.schema
      if (!schema || isEmpty(value)) continue
      const stored = thing.meta[key]?.[0]
      // For a toggle, off is a choice as well.
      const isSet = typeof stored === 'boolean' || !isEmpty(stored)
      if (isDeepStrictEqual(stored, value)) tally.same++
      else if (isSet && !overwrite) tally.kept++
      else if (!schema.safeParse(value).success) tally.miss(`${field}: value too long or not a valid URL`)
      else {
        if (!dryRun) await content.meta.set(thing.kind, thing.id, key, value)
        tally.written++
        isChanged = true
      }
    }
    return isChanged
  }
}

/** `noindex, noarchive` or a list; directives without a field are counted as not imported. */
function readRobots(value: JsonValue, tally: Tally): OurValues {
  const words = typeof value === 'string' ? value.split(',') : itemsOf(value).map(textOf)
  const ours: OurValues = {}
  for (const word of words.map((text) => text.trim().toLowerCase())) {
    if (word === 'noindex' || word === 'nofollow') ours[word] = true
    else if (!USUAL.has(word)) tally.miss(`robots directive ${word}`)
  }
  return ours
}

const isOurs = (field: string): field is OurField => Object.hasOwn(KEYS, field)
const isTemplate = (field: string): field is OurField => TEMPLATES.has(field)
