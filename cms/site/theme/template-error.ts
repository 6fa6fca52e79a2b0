import { Script } from 'node:vm'
import { EtaError, EtaParseError } from 'eta/core'

/** An error in a template of the theme, at compile or render time. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError'
  /** Path of the template file. */
  readonly file: string
  /** Line from 1; `undefined` if unknown. */
  readonly line: number | undefined

  constructor(file: string, line: number | undefined, problem: string, cause: unknown) {
    super(`${file}${line ? `:${line}` : ''}: ${problem}`, { cause })
    this.file = file
    this.line = line
  }
}

/** Prefix of Eta's error message: `partials/header:12`. */
const PLACE = /^(?<name>[\w./-]+):(?<line>\d+)\n/

/**
 * The location of an error. Eta wraps the error for each including template, so the innermost wrapper has the location.
 */
export function toTemplateError(error: unknown, fallback: string, fileOf: (name: string) => string): unknown {
  if (error instanceof TemplateError) return error
  let place: { name: string; line: number } | undefined
  let reason: unknown = error
  while (reason instanceof EtaError) {
    const groups = PLACE.exec(reason.message)?.groups
    if (groups?.name && groups.line) place = { name: groups.name, line: Number(groups.line) }
    if (reason.cause === undefined) break
    reason = reason.cause
  }
  if (reason instanceof TemplateError) return reason
  const message = reason instanceof Error ? reason.message : String(reason)
  return new TemplateError(fileOf(place?.name ?? fallback), place?.line, message, error)
}

/**
 * The reason why a template does not compile. Eta reports the line of an unclosed tag; for JavaScript syntax errors the
 * generated code is parsed again, because only Node's parser reports the line.
 */
export function toCompileError(error: unknown, file: string, generate: () => string): TemplateError {
  const message = error instanceof Error ? error.message : String(error)
  const line = /at line (\d+) col/.exec(message)?.[1]
  if (line) return new TemplateError(file, Number(line), message.split(' at line')[0] ?? message, error)
  if (!(error instanceof EtaParseError)) return new TemplateError(file, undefined, message, error)
  const code = `(function (it, options) {\n${generate()}\n})`
  try {
    new Script(code, { filename: 'template' })
  } catch (problem) {
    if (problem instanceof SyntaxError) {
      const generated = Number(/^template:(\d+)/.exec(problem.stack ?? '')?.[1] ?? 0)
      const before = code.split('\n').slice(0, generated)
      const marks = [...before.join('\n').matchAll(/^__eta\.line=(\d+)$/gm)]
      const found = marks.at(-1)?.[1]
      return new TemplateError(file, found ? Number(found) : undefined, problem.message, error)
    }
  }
  return new TemplateError(file, undefined, 'Bad template syntax', error)
}
