/** The error catalog, made from every `new RestError(code, message, { status })` and every problem of a parameter. */
import { relative } from 'node:path'
import ts from 'typescript'
import { readSourceCode, type SourceCode, visitAll } from './source-code.ts'
import { type Bindings, createTexts } from './texts.ts'

/** The status of a code that stands in `data.details`, beside the parameter it is about. */
const IN_DETAILS = 'in details'

export interface DocumentedError {
  readonly code: string
  /** `404`, `401 or 403`, `in details` */
  readonly status: string
  /** Messages as they stand in the code, `…` for what is filled in. */
  readonly messages: readonly string[]
  readonly files: readonly string[]
}

/** A place that makes an error, which may take its code or message from those who call it. */
interface Place {
  readonly code: ts.Node | undefined
  readonly message: ts.Node | undefined
  /** `undefined`: a problem of a parameter. */
  readonly data?: ts.Node | undefined
  /** Where it is made or, in the end, which call says its code. */
  readonly at: ts.Node
}

/** Every error code under the given folders, sorted. Helpers are followed to those who call them with a code. */
export function collectErrors(root: string, folders: readonly string[] = ['core', 'cms', 'app']): DocumentedError[] {
  const code = readSourceCode(root, folders)
  const found = new Map<string, { code: string; status: string; messages: Set<string>; files: Set<string> }>()
  const trace = createTrace(code, (literal, status, messages, at) => {
    const key = `${literal} ${status}`
    const entry = found.get(key) ?? { code: literal, status, messages: new Set(), files: new Set() }
    for (const message of messages) entry.messages.add(message.replace(/…(?:\s?…)+/g, '…'))
    found.set(key, { ...entry, files: entry.files.add(relative(root, at.getSourceFile().fileName)) })
  })
  for (const file of code.files) {
    visitAll(file, (node) => {
      const place = placeOf(node)
      if (place) trace(place, new Map())
    })
  }
  return [...found.values()]
    .map(({ code, status, messages, files }) => ({ code, status, messages: [...messages], files: [...files].sort() }))
    .sort((a, b) => a.code.localeCompare(b.code) || a.status.localeCompare(b.status))
}

function placeOf(node: ts.Node): Place | undefined {
  if (ts.isNewExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'RestError') {
    const [code, message, data] = node.arguments ?? []
    return { code, message, data, at: node }
  }
  if (!ts.isObjectLiteralExpression(node)) return undefined
  // What a zod refinement says: { error: 'Invalid date.', params: { code: 'rest_invalid_date' } }
  const params = valueAt(node, 'params')
  const code = params && ts.isObjectLiteralExpression(params) ? valueAt(params, 'code') : valueAt(node, 'code')
  const message = valueAt(node, params ? 'error' : 'message')
  return code && message ? { code, message, at: node } : undefined
}

/** Follows a place to the literals of its code and message. */
function createTrace(
  source: SourceCode,
  report: (code: string, status: string, messages: readonly string[], at: ts.Node) => void,
): (place: Place, bindings: Bindings) => void {
  const texts = createTexts(source)

  function statusOf(place: Place, bindings: Bindings): string {
    if (!place.data) return IN_DETAILS
    return (
      texts
        .of(valueAt(texts.objectOf(place.data, bindings), 'status'), bindings)
        .toSorted()
        .join(' or ') || 'varies'
    )
  }

  return function trace(place, bindings) {
    const status = valueAt(texts.objectOf(place.data, bindings), 'status')
    const free = [place.code, place.message, place.data, status]
      .map((part) => texts.freeParameter(part, bindings))
      .find((parameter) => parameter !== undefined)
    if (!free) {
      const messages = texts.of(place.message, bindings)
      for (const code of texts.of(place.code, bindings)) report(code, statusOf(place, bindings), messages, place.at)
      return
    }
    const { parent: helper } = free
    const outside = (call: ts.Node) => !ts.findAncestor(call, (ancestor) => ancestor === helper)
    const calls = 'body' in helper ? source.callsOf(helper).filter(outside) : []
    const bind = (given: readonly ts.Expression[]): Bindings => {
      const bound = new Map(bindings)
      helper.parameters.forEach((parameter, at) => {
        const symbol = source.symbolOf(parameter.name)
        if (symbol) bound.set(symbol, given[at] ?? parameter.initializer)
      })
      return bound
    }
    if (calls.length === 0) trace(place, bind([]))
    for (const call of calls) {
      const saysCode = texts.freeParameter(place.code, bindings)?.parent === helper
      trace(saysCode ? { ...place, at: call } : place, bind(call.arguments))
    }
  }
}

function valueAt(object: ts.Node | undefined, key: string): ts.Node | undefined {
  if (!object || !ts.isObjectLiteralExpression(object)) return undefined
  for (const property of object.properties) {
    if (!property.name || !ts.isIdentifier(property.name) || property.name.text !== key) continue
    if (ts.isPropertyAssignment(property)) return property.initializer
    if (ts.isShorthandPropertyAssignment(property)) return property.name
  }
  return undefined
}

/** The catalog as Markdown. @throws Error if an error has no message: then the code hides it from the reader too. */
export function errorCatalog(errors: readonly DocumentedError[]): string {
  const silent = errors.filter(({ messages }) => messages.every((message) => message.replaceAll('…', '').trim() === ''))
  if (silent.length > 0) {
    throw new Error(
      `No message found for: ${silent.map(({ code, files }) => `${code} (${files.join(', ')})`).join('; ')}`,
    )
  }
  const rows = errors.map(
    ({ code, status, messages, files }) =>
      `| \`${code}\` | ${status} | ${messages.map((message) => message.replaceAll('|', '\\|')).join('<br>')} | ${files.map((file) => `\`${file}\``).join('<br>')} |`,
  )
  return `${[
    '# Error catalog',
    '',
    'Generated by `npm run docs` from the code of `core`, `cms`, and `app`; do not edit. Every error under `/wp-json` has the format',
    '`{ "code", "message", "data": { "status", … } }`. `…` stands for values inserted at run time. A code with the status',
    '"in details" appears in `data.details` of `rest_invalid_param`, for the parameter it applies to.',
    '',
    '| Code | Status | Message | Source |',
    '|---|---|---|---|',
    ...rows,
  ].join('\n')}\n`
}
