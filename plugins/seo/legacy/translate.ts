import { plainText } from 'pentad'
import type { Meaning } from './meanings.ts'
import type { VariableSyntax } from './types.ts'

/** The equivalent variables of this service (`../head/variables.ts`). */
const OURS: Readonly<Partial<Record<Meaning, string>>> = {
  archiveDate: '%title%',
  archiveTitle: '%title%',
  author: '%author%',
  authorBio: '%author_description%',
  categories: '%categories%',
  category: '%category%',
  content: '%excerpt%',
  currentDate: '%currentdate%',
  currentMonth: '%currentmonth%',
  currentYear: '%currentyear%',
  date: '%date%',
  excerpt: '%excerpt%',
  focusKeyword: '%keyword%',
  modified: '%modified%',
  // Their variable includes a separator; ours is removed if there is no later page.
  page: '%sep% %page%',
  pageNumber: '%pagenumber%',
  pageTotal: '%pagetotal%',
  parentTitle: '%parent_title%',
  search: '%searchphrase%',
  separator: '%sep%',
  siteName: '%sitename%',
  tagline: '%tagline%',
  tags: '%tags%',
  termDescription: '%term_description%',
  termTitle: '%term_title%',
  title: '%title%',
  type: '%type%',
  types: '%types%',
}

/** What variables for terms of a post mean on a term page. */
const ON_TERMS: ReadonlySet<Meaning> = new Set(['category', 'categories', 'tag', 'tags'])

/** The page that a text belongs to. */
export interface Place {
  readonly isTerm: boolean
  /** The current text of a variable without an equivalent; `undefined` if unknown. */
  writeOut(meaning: Meaning): Promise<string | undefined>
}

export interface Translation {
  readonly text: string
  /** Variables replaced by their current text. */
  readonly writtenOut: readonly string[]
  /** Variables that no longer have a value. */
  readonly lost: readonly string[]
}

/** Converts a title or description to a template of this service: variables, and text without tags and entities. */
export async function translate(theirs: string, syntax: VariableSyntax, place: Place): Promise<Translation> {
  const written = plainText(theirs)
  const values = new Map<string, string>()
  const writtenOut: string[] = []
  const lost: string[] = []
  for (const [variable, name = '', argument = ''] of written.matchAll(syntax.pattern)) {
    if (values.has(variable)) continue
    const meaning = meaningOf(syntax, name.trim(), argument.trim())
    if (meaning === undefined && syntax.keepsUnknown) continue
    const ours = meaning && oursFor(meaning, place)
    const value = ours ?? (meaning && (await place.writeOut(meaning)))
    if (value === undefined) lost.push(variable)
    else if (ours === undefined) writtenOut.push(variable)
    values.set(variable, value ?? '')
  }
  const text = written.replace(syntax.pattern, (variable) => values.get(variable) ?? variable)
  return { text: text.replace(/\s+/g, ' ').trim(), writtenOut, lost }
}

function meaningOf({ names, open }: VariableSyntax, name: string, argument: string): Meaning | undefined {
  const key = name.toLowerCase()
  return Object.hasOwn(names, key) ? names[key] : open?.(name, argument)
}

function oursFor(meaning: Meaning, { isTerm }: Place): string | undefined {
  return isTerm && ON_TERMS.has(meaning) ? OURS.termTitle : OURS[meaning]
}
