import type { JsonValue } from 'pentad'
import type { Meaning } from './meanings.ts'

/**
 * WordPress SEO plugins whose data can be imported, with the IDs used by the report and `pentad seo migrate --from`.
 */
export const LEGACY_IDS = ['yoast', 'rankmath', 'aioseo', 'seopress', 'seoframework', 'slimseo', 'squirrly'] as const

export type LegacyId = (typeof LEGACY_IDS)[number]

/**
 * The field that a stored value belongs to; `robots` is a list of directives, `redirect` a URL that the page redirects
 * to.
 */
export type Field =
  | 'title'
  | 'description'
  | 'canonical'
  | 'noindex'
  | 'nofollow'
  | 'robots'
  | 'ogTitle'
  | 'ogDescription'
  | 'ogImage'
  | 'xTitle'
  | 'xDescription'
  | 'xImage'
  | 'primaryCategory'
  | 'schemaType'
  | 'focusKeyword'
  | 'redirect'
  | 'redirectStatus'

/** The fields of a post or term, as stored. */
export type LegacyFields = Readonly<Partial<Record<Field, JsonValue | undefined>>>

/** Records of `wp_options` by name; PHP arrays as JSON. */
export type LegacyOptions = Readonly<Record<string, JsonValue>>

/** Syntax of variables in titles and descriptions. */
export interface VariableSyntax {
  /** Global expression; group 1 is the name, group 2 an optional argument. */
  readonly pattern: RegExp
  /** Meanings by name, in lower case. */
  readonly names: Readonly<Record<string, Meaning>>
  /** The meaning of a name with a custom part, such as `cf_price`. */
  readonly open?: (name: string, argument: string) => Meaning | undefined
  /** Whether unknown variables stay as they are; otherwise they are removed. */
  readonly keepsUnknown?: boolean
}

/** Subject of a title template or toggle; `{type}` and `{taxonomy}` stand for every name. */
type Kind = 'home' | 'author' | 'date' | 'search' | 'notFound' | '{type}' | '{taxonomy}'

/** The setting that an option corresponds to. */
export type OptionField =
  | 'separator'
  | `title ${Kind}`
  | `description ${Kind}`
  | `noindex ${Kind}`
  | `verify ${'google' | 'bing' | 'yandex' | 'baidu' | 'pinterest'}`
  | 'breadcrumbs'
  | 'breadcrumbsHome'
  | 'breadcrumbsSeparator'
  | 'openGraph'
  | 'xCards'
  | 'xAccount'
  /** Type of the site owner (person or organization) and their names, in this order. */
  | 'representedBy'
  | 'representedAs'
  | 'profile'

/** A redirect as `POST /redirects/import` accepts it. */
export interface LegacyRedirect {
  readonly source: string
  readonly target: string
  readonly match: 'exact' | 'regex'
  readonly status: number
  readonly enabled: boolean
}

export interface LegacyPlugin {
  readonly id: LegacyId
  readonly name: string
  /** Records of `wp_options` that the plugin writes. */
  readonly optionNames: readonly string[]
  /**
   * Location of each field in post and term meta: `key`, or `key.part` of a structured value. If a field has several
   * locations, the first value that is not empty is used.
   */
  readonly places: Readonly<Record<string, Field>>
  readonly variables: VariableSyntax
  /** Default separator. */
  readonly separator: string
  /** Separators that the options store by name. */
  readonly separators?: Readonly<Record<string, string>>
  /** Location of each setting in the options: `record.key.key`. */
  readonly options: Readonly<Record<string, OptionField>>
  /** Adjustments that locations cannot express: values to ignore, and defaults that the plugin adds at display time. */
  readonly complete?: (fields: LegacyFields, about: LegacyContext) => LegacyFields
  /** Terms whose fields are in the options. */
  readonly terms?: (options: LegacyOptions) => readonly LegacyTerm[]
  /** Post type of redirects stored as posts: the title is the source. */
  readonly redirectType?: string
  /** Redirects in the options. */
  readonly redirects?: (options: LegacyOptions) => readonly LegacyRedirect[]
}

export interface LegacyTerm {
  readonly taxonomy: string
  readonly id: number
  readonly fields: LegacyFields
}

export interface LegacyContext {
  /** The first value at a location: `key` or `key.part`. */
  readonly at: (place: string) => JsonValue | undefined
  readonly options: LegacyOptions
}
