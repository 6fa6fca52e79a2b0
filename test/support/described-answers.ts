import { expect } from 'chai'
import { z } from 'zod'

/** A part of an OpenAPI document, or of an answer, as an object; an empty one if it is none. */
function toObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {}
}

/** What the OpenAPI document of a site promises of its answers. */
export interface DescribedAnswers {
  /** Paths with their methods in lower case: `['get', '/wp/v2/posts']`. */
  readonly operations: readonly (readonly [method: string, path: string])[]
  /** Media types of a success, with their schemas; `undefined` for an operation that is not described. */
  contentOf(path: string, method?: string): Readonly<Record<string, unknown>> | undefined
  /** Schema of a success in JSON. */
  schemaOf(path: string, method?: string): unknown
  /** A schema of the document, with what it refers to: neither a missing field fits it, nor one more than it has. */
  checker(schema: unknown): z.ZodType
  /** @param path as the document has it: `/wp/v2/posts/{id}` */
  expectToFit(path: string, body: unknown, method?: string): void
}

export function describedAnswers(document: unknown): DescribedAnswers {
  const { paths, components } = toObject(document)
  const operations = Object.entries(toObject(paths)).flatMap(([path, methods]) =>
    Object.keys(toObject(methods)).map((method) => [method, path] as const),
  )

  function contentOf(path: string, method = 'get') {
    const described = toObject(toObject(paths)[path])[method]
    if (described === undefined) return undefined
    return toObject(toObject(toObject(toObject(described).responses)['2XX']).content)
  }

  const schemaOf = (path: string, method?: string) => toObject(contentOf(path, method)?.['application/json']).schema

  function checker(schema: unknown): z.ZodType {
    const { schemas } = toObject(components)
    const whole = JSON.stringify({ ...toObject(schema), $defs: schemas }).replaceAll(
      '#/components/schemas/',
      '#/$defs/',
    )
    return z.fromJSONSchema(JSON.parse(whole))
  }

  return {
    operations,
    contentOf,
    schemaOf,
    checker,
    expectToFit(path, body, method) {
      const schema = schemaOf(path, method)
      const name = `${method ?? 'get'} ${path}`
      expect(Object.keys(toObject(schema)), `${name} declares its answer`).not.to.deep.equal([])
      const { success, error } = checker(schema).safeParse(body)
      expect(success, `${name}: ${error && z.prettifyError(error)}\n${JSON.stringify(body)}`).to.equal(true)
    },
  }
}
