import { oneLine } from 'pentad'
import { type Source, VARIABLES } from './variables.ts'

const SEPARATOR = '%sep%'
const VARIABLE = /%([a-z_]{1,40})%/g
/** Maximum length of a variable, which a template may repeat. */
const LONGEST = 2000

/**
 * Fills in a template such as `%title% %sep% %sitename%`. Separators next to empty parts are removed. Unknown variables
 * stay as they are, and values are never parsed as templates.
 * @returns plain text on one line
 */
export async function fillTemplate(template: string, separator: string, source: Source): Promise<string> {
  const names = new Set([...template.matchAll(VARIABLE)].map(([, name = '']) => name))
  const known = [...names].filter((name) => Object.hasOwn(VARIABLES, name))
  const values = new Map(
    await Promise.all(
      known.map(async (name) => [name, ((await VARIABLES[name]?.value(source)) ?? '').slice(0, LONGEST)] as const),
    ),
  )
  return template
    .split(SEPARATOR)
    .map((part) => oneLine(part.replace(VARIABLE, (written, name) => values.get(name) ?? written)))
    .filter((part) => part !== '')
    .join(` ${separator} `)
}
