import type { HtmlElement } from '../html/document.ts'

/** Types that browsers run as classic scripts (HTML, 2.7 "JavaScript MIME type"). */
const JAVASCRIPT =
  /^(?:application|text)\/(?:x-)?(?:java|ecma)script$|^text\/(?:javascript1\.[0-5]|jscript|livescript)$/

/** `data` is not executed: JSON, templates, import maps, speculation rules, custom types of consent tools. */
export type ScriptKind = 'classic' | 'module' | 'data'

export function kindOfScript({ attributes }: HtmlElement): ScriptKind {
  const language = attributes.get('language')
  const type = attributes.get('type') ?? (language ? `text/${language}` : '')
  const name = type.trim().toLowerCase()
  if (name === 'module') return 'module'
  return name === '' || JAVASCRIPT.test(name) ? 'classic' : 'data'
}
