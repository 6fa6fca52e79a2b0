import { LRUCache } from 'lru-cache'
import { oneLine } from 'pentad'
import { type Source, VARIABLES } from './variables.ts'

const SEPARATOR = '%sep%'
const VARIABLE = /%([a-z_]{1,40})%/
/** Maximum length of a variable, which a template may repeat. */
const LONGEST = 2000

/** The parts of a template between separators: texts and names of variables. */
type Template = readonly (readonly { readonly text: string; readonly variable: string | undefined }[])[]

/** A site has few templates; previews send others. */
const known = new LRUCache<string, Template>({ max: 200 })

function compile(template: string): Template {
  const found = known.get(template)
  if (found) return found
  const compiled = parse(template)
  known.set(template, compiled)
  return compiled
}

function parse(template: string): Template {
  return template.split(SEPARATOR).map((part) =>
    // With a group, every second piece is the name of a variable.
    part.split(VARIABLE).map((piece, at) => {
      if (at % 2 === 0) return { text: piece, variable: undefined }
      return { text: `%${piece}%`, variable: Object.hasOwn(VARIABLES, piece) ? piece : undefined }
    }),
  )
}

/**
 * Fills in a template such as `%title% %sep% %sitename%`. Separators next to empty parts are removed. Unknown variables
 * stay as they are, and values are never parsed as templates.
 * @returns plain text on one line
 */
export async function fillTemplate(template: string, separator: string, source: Source): Promise<string> {
  const parts: string[] = []
  for (const pieces of compile(template)) {
    let part = ''
    for (const { text, variable } of pieces) {
      const value = variable === undefined ? text : (VARIABLES[variable]?.value(source) ?? '')
      const shown = typeof value === 'string' ? value : await value
      part += variable === undefined ? shown : shown.slice(0, LONGEST)
    }
    const line = oneLine(part)
    if (line !== '') parts.push(line)
  }
  return parts.join(` ${separator} `)
}
