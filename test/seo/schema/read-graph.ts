import { Parser } from 'htmlparser2'
import { z } from 'zod'

const thing = z.looseObject({ '@type': z.string(), '@id': z.string().optional() })
const graph = z.strictObject({ '@context': z.literal('https://schema.org'), '@graph': z.array(thing) })

export type Thing = z.output<typeof thing>

/** The structured data of a page, as a search engine reads it; throws where it is no such thing, or there are two. */
export function readGraph(html: string): Thing[] {
  const scripts: string[] = []
  let isOpen = false
  const parser = new Parser({
    onopentag(name, { type }) {
      isOpen = name === 'script' && type === 'application/ld+json'
      if (isOpen) scripts.push('')
    },
    ontext(text) {
      if (isOpen) scripts.push((scripts.pop() ?? '') + text)
    },
    onclosetag() {
      isOpen = false
    },
  })
  parser.end(html)
  if (scripts.length !== 1) throw new Error(`${scripts.length} scripts of structured data`)
  return graph.parse(JSON.parse(scripts[0] ?? ''))['@graph']
}

/** The only one of that type. */
export function only(things: readonly Thing[], ...types: readonly string[]): Thing {
  const [found, ...others] = things.filter((one) => types.includes(one['@type']))
  if (!found || others.length > 0) throw new Error(`${others.length + (found ? 1 : 0)} of ${types}`)
  return found
}

/** What stands at a path such as `author.name`: in each of several, and in what an `@id` refers to. */
export function valuesAt(things: readonly Thing[], from: unknown, path: string): unknown[] {
  const [name = '', ...rest] = path.split('.')
  const value = z.looseObject({}).parse(resolve(things, from))[name]
  const values = value === undefined || value === null || value === '' ? [] : [value].flat()
  return rest.length === 0 ? values : values.flatMap((one) => valuesAt(things, one, rest.join('.')))
}

/** A thing itself, or the one that it refers to. */
function resolve(things: readonly Thing[], value: unknown): unknown {
  const { data } = z.strictObject({ '@id': z.string() }).safeParse(value)
  return data === undefined ? value : things.find((one) => one['@id'] === data['@id'])
}

/** All `{ "@id": … }` that stand anywhere in a value. */
export function referencesIn(value: unknown): string[] {
  const { data } = z.strictObject({ '@id': z.string() }).safeParse(value)
  if (data) return [data['@id']]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(referencesIn) : []
}
