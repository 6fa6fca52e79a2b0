import { type Source, VARIABLES } from './variables.ts'

const SEPARATOR = '%sep%'
const VARIABLE = /%([a-z_]{1,40})%/g
/** Characters of a variable: no page needs more in a title or description, and a template may name one often. */
const LONGEST = 2000
const UNPRINTABLE = /[\p{Cc}\u2028\u2029\s]+/gu

/**
 * Fills in a template such as `%title% %sep% %sitename%`. Parts that turn out empty go with their separator, so that none
 * stands at an end or beside another one. What is no variable stays as it is, and what a variable holds is never read
 * as a template.
 *
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

/** The text on one line, without characters that no page can hold. */
export function oneLine(text: string): string {
  return text.toWellFormed().replace(UNPRINTABLE, ' ').trim()
}
