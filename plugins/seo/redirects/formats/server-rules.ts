import { setImmediate } from 'node:timers/promises'
import { wholeRule } from '../rule-input.ts'
import type { ImportedRule, RedirectRule } from '../types.ts'
import { IN_A_ROW, LEFT_OUT, MOST_ERRORS, type ReadFile } from './file.ts'

/** Redirects as configuration of a web server. */
export interface ServerFormat {
  /** The lines that the server needs for a redirect, each without a comment. */
  write(rule: RedirectRule): readonly string[]
  /**
   * Reads the lines of a file from another source, one at a time. Each returns the redirect it completes, or
   * `undefined`. @throws Error with a message for users
   */
  reader(): (line: string) => object | undefined
}

/** Comment before each of our redirects with its full data, since servers support less. */
const MARK = '# pentad-redirect '

/** Maximum length of a line in a file from another source. */
const LONGEST_LINE = 10_000

/** Disabled redirects are written as comments. */
export function writeServerRules(
  rules: readonly RedirectRule[],
  format: ServerFormat,
  frame: readonly string[],
): string {
  const lines = rules.flatMap((rule) => {
    const written = format.write(rule)
    return [MARK + JSON.stringify(rule), ...(rule.enabled ? written : written.map((line) => `# ${line}`))]
  })
  return `${[...frame, ...lines].join('\n')}\n`
}

/**
 * Reads a file of this service or of another source. If the lines below one of our comments were edited, the lines win.
 */
export async function readServerRules(text: string, format: ServerFormat): Promise<ReadFile> {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n?|\n/)
  const rules: ImportedRule[] = []
  const errors: { line: number; message: string }[] = []
  const read = format.reader()
  for (let at = 0; at < lines.length; at++) {
    if (at % IN_A_ROW === 0) await setImmediate()
    const line = lines[at]?.trim() ?? ''
    const number = at + 1
    if (line.startsWith(MARK)) {
      const rule = markedRule(line.slice(MARK.length))
      const written = rule ? format.write(rule).map((one) => (rule.enabled ? one : `# ${one}`)) : []
      if (rule && written.every((one, offset) => lines[at + 1 + offset]?.trim() === one.trim())) {
        rules.push({ line: number, rule })
        at += written.length
      }
      continue
    }
    if (line === '' || line.startsWith('#')) continue
    if (errors.length >= MOST_ERRORS) {
      errors.push({ line: number, message: LEFT_OUT })
      break
    }
    try {
      if (line.length > LONGEST_LINE) throw new Error('The line is too long.')
      const rule = read(line)
      if (rule) rules.push({ line: number, rule })
    } catch (error) {
      errors.push({ line: number, message: error instanceof Error ? error.message : String(error) })
    }
  }
  return { rules, errors }
}

function markedRule(json: string): RedirectRule | undefined {
  try {
    return wholeRule.safeParse(JSON.parse(json)).data
  } catch {
    return undefined
  }
}

/** The words of a line; quoted words may contain spaces. */
export function wordsOf(line: string): string[] {
  return [...line.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)].map(
    ([, quoted, plain = '']) => quoted?.replace(/\\(["\\])/g, '$1') ?? plain,
  )
}

/** A word, quoted as both servers parse it. */
export function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, (sign) => (sign === '"' ? '\\"' : sign))}"`
}

export function quotedExpression(text: string): string {
  return text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&')
}
