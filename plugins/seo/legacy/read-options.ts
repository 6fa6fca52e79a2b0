import { type Content, type JsonValue, plainText } from 'pentad'
import type { Tally } from './tally.ts'
import { translate } from './translate.ts'
import type { LegacyOptions, LegacyPlugin, OptionField } from './types.ts'
import { at, flagOf, itemsOf, type JsonObject, textOf } from './values.ts'

/** Template settings by kind of page; custom post types and taxonomies share one setting. */
const TEMPLATES: Readonly<Record<string, readonly [title: string, description?: string]>> = {
  home: ['homeTitle', 'homeDescription'],
  author: ['authorTitleTemplate', 'authorDescriptionTemplate'],
  date: ['dateTitleTemplate'],
  search: ['searchTitleTemplate'],
  notFound: ['notFoundTitleTemplate'],
  post: ['postTitleTemplate', 'postDescriptionTemplate'],
  page: ['pageTitleTemplate', 'pageDescriptionTemplate'],
  attachment: ['attachmentTitleTemplate', 'attachmentDescriptionTemplate'],
  category: ['categoryTitleTemplate', 'categoryDescriptionTemplate'],
  post_tag: ['tagTitleTemplate', 'tagDescriptionTemplate'],
}

/**
 * Converts the options of a plugin to settings of this service. If no separator is set, uses the default of the plugin.
 */
export async function readLegacySettings(
  plugin: LegacyPlugin,
  options: LegacyOptions,
  { content, tally }: { content: Pick<Content, 'postTypes' | 'taxonomies'>; tally: Tally },
): Promise<JsonObject> {
  const settings: Record<string, JsonValue> = { titleSeparator: plugin.separator }
  const titles: Record<string, string> = {}
  const descriptions: Record<string, string> = {}
  const hidden: string[] = []
  const profiles: string[] = []

  async function template(kind: string, part: 'title' | 'description', value: JsonValue): Promise<void> {
    const isTerm = content.taxonomies().has(kind)
    const { text, lost } = await translate(textOf(value), plugin.variables, { isTerm, writeOut: async () => undefined })
    for (const variable of lost) tally.miss(`variable ${variable}`)
    if (text === '') return
    const key = TEMPLATES[kind]?.[part === 'title' ? 0 : 1]
    if (key !== undefined) settings[key] = text
    else if (!(kind in TEMPLATES)) (part === 'title' ? titles : descriptions)[kind] = text
  }

  function hide(kind: string, isHidden: boolean): void {
    if (kind === 'author') settings.noindexAuthors = onOff(isHidden)
    else if (kind === 'date') settings.noindexDates = onOff(isHidden)
    else if (isHidden) hidden.push(kind)
  }

  for (const [field, value] of fieldsOf(plugin, options, content)) {
    const [what = '', kind = ''] = field.split(' ')
    const text = textOf(value)
    if (what === 'title' || what === 'description') await template(kind, what, value)
    else if (what === 'noindex') hide(kind, flagOf(value) ?? itemsOf(value).includes('noindex'))
    else if (isSwitch(what)) settings[what] = onOff(flagOf(value) === true)
    else if (what === 'profile') profiles.push(...[text, ...itemsOf(value).map(textOf)].filter((url) => url !== ''))
    else if (text === '') continue
    else if (what === 'separator') settings.titleSeparator = plugin.separators?.[text] ?? plainText(text)
    else if (what === 'breadcrumbsHome' || what === 'breadcrumbsSeparator') settings[what] = plainText(text)
    else if (what === 'verify') settings[`${kind}Verification`] = text
    else if (what === 'representedBy') settings.schemaType = /person/i.test(text) ? 'Person' : 'Organization'
    else if (what === 'representedAs')
      settings[settings.schemaType === 'Person' ? 'personName' : 'organizationName'] = text
    else if (what === 'xAccount') settings.xAccount = text.split('/').at(-1) ?? ''
  }
  if (Object.keys(titles).length > 0) settings.typeTitleTemplates = titles
  if (Object.keys(descriptions).length > 0) settings.typeDescriptionTemplates = descriptions
  if (profiles.length > 0) settings.socialProfiles = [...new Set(profiles)]
  if (hidden.length > 0) settings.noindexTypes = [...new Set(['attachment', ...hidden])]
  return settings
}

/** The values in the options with their meaning; once for each post type and taxonomy. */
function* fieldsOf(
  plugin: LegacyPlugin,
  options: LegacyOptions,
  content: Pick<Content, 'postTypes' | 'taxonomies'>,
): Iterable<[field: string, value: JsonValue]> {
  const names = { '{type}': [...content.postTypes().keys()], '{taxonomy}': [...content.taxonomies().keys()] }
  for (const [path, field] of Object.entries<OptionField>(plugin.options)) {
    const mark = path.includes('{type}') ? '{type}' : path.includes('{taxonomy}') ? '{taxonomy}' : undefined
    for (const name of mark ? names[mark] : ['']) {
      const fill = (text: string) => (mark ? text.replace(mark, name) : text)
      const value = at(options, path.split('.').map(fill))
      if (value !== undefined) yield [fill(field), value]
    }
  }
}

const isSwitch = (what: string) => ['breadcrumbs', 'openGraph', 'xCards'].includes(what)
const onOff = (isOn: boolean) => (isOn ? 'on' : 'off')
