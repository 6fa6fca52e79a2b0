import type { JsonValue } from 'pentad'
import type { Meaning } from './meanings.ts'

/** SEO plugins of WordPress that may have left data, as the report and `pentad seo migrate --from` name them. */
export const LEGACY_IDS = ['yoast', 'rankmath', 'aioseo', 'seopress', 'seoframework', 'slimseo', 'squirrly'] as const

export type LegacyId = (typeof LEGACY_IDS)[number]

/** What a value of theirs is to us; `robots` is a list of directives, `redirect` an address that the page leads to. */
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

/** What one post or term of theirs says, as it was stored. */
export type LegacyFields = Readonly<Partial<Record<Field, JsonValue | undefined>>>

/** Records of `wp_options` by name, PHP's arrays as JSON. */
export type LegacyOptions = Readonly<Record<string, JsonValue>>

/** How a plugin writes variables in titles and descriptions. */
export interface VariableSyntax {
  /** Global; its first group is the name, its second an argument if the syntax has such. */
  readonly pattern: RegExp
  /** What its names mean, in lower case. */
  readonly names: Readonly<Record<string, Meaning>>
  /** The meaning of a name that holds one of the owner's, such as `cf_price`. */
  readonly open?: (name: string, argument: string) => Meaning | undefined
  /** What it does not know stays as it is written; else it shows nothing. */
  readonly keepsUnknown?: boolean
}

/** Of what a title template or a switch in the settings is: `{type}` and `{taxonomy}` stand for every name. */
type Kind = 'home' | 'author' | 'date' | 'search' | 'notFound' | '{type}' | '{taxonomy}'

/** What an option of theirs is to us. */
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
  /** A person or an organisation, and what they are called; in this order. */
  | 'representedBy'
  | 'representedAs'
  | 'profile'

/** A rule as `POST /redirects/import` takes it. */
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
  /** Records of `wp_options` that it writes. */
  readonly optionNames: readonly string[]
  /**
   * Where post and term meta hold what: `key`, or `key.part` of a value with parts. Of several places of the same field
   * the first that is not empty counts.
   */
  readonly places: Readonly<Record<string, Field>>
  readonly variables: VariableSyntax
  /** What shows where no separator was chosen. */
  readonly separator: string
  /** Separators that its options call by a name. */
  readonly separators?: Readonly<Record<string, string>>
  /** Where its options hold what: `record.key.key`. */
  readonly options: Readonly<Record<string, OptionField>>
  /** What the places alone do not say: values that do not count, and what the plugin adds when it shows them. */
  readonly complete?: (fields: LegacyFields, about: LegacyContext) => LegacyFields
  /** Terms whose fields are in its options. */
  readonly terms?: (options: LegacyOptions) => readonly LegacyTerm[]
  /** Post type that its redirects are kept as: the title is the source. */
  readonly redirectType?: string
  /** Rules in its options. */
  readonly redirects?: (options: LegacyOptions) => readonly LegacyRedirect[]
}

export interface LegacyTerm {
  readonly taxonomy: string
  readonly id: number
  readonly fields: LegacyFields
}

export interface LegacyContext {
  /** The first value at a place: `key` or `key.part`. */
  readonly at: (place: string) => JsonValue | undefined
  readonly options: LegacyOptions
}
