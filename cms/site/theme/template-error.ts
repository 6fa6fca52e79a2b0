import { Script } from 'node:vm'
import { EtaError, EtaParseError } from 'eta/core'

/** A template of the theme that cannot be compiled or failed while it rendered: the owner's to repair. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError'
  /** Path of the template's file. */
  readonly file: string
  /** From 1; `undefined` where it is not known. */
  readonly line: number | undefined

  constructor(file: string, line: number | undefined, problem: string, cause: unknown) {
    super(`${file}${line ? `:${line}` : ''}: ${problem}`, { cause })
    this.file = file
    this.line = line
  }
}

/** `partials/header:12` at the start of the message that Eta puts around an error of a template. */
const PLACE = /^(?<name>[\w./-]+):(?<line>\d+)\n/

/**
 * Where a template failed. Eta wraps the error once for each template that includes the next, so the innermost
 * wrapping names the place.
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
 * Why a template does not compile. Eta tells the line of an unclosed tag; for broken JavaScript inside the tags the
 * generated code is parsed once more, for the line only Node's own parser tells.
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
