/** Location of a stack frame in a bundle. */
export interface Frame {
  readonly filename: string
  readonly line: number
  readonly column: number
}

const BEGINNING = /^\s*at (?:async )?/
const POSITION = /^:(\d+):(\d+)\)?$/
const SUFFIX = '.cjs'
/** A dot, the name of the extension's entry, the number of the version. */
const BUNDLE = /[\\/]\.[^\\/]+\.\d+\.cjs$/

/** Whether a file name in a stack is that of a bundle. */
export function isBundle(filename: string): boolean {
  return BUNDLE.test(filename)
}

/** The part of a bundle's file name that is the same for all versions of an extension. */
export function withoutVersion(filename: string): string {
  return filename.replace(/\.\d+\.cjs$/, '')
}

/** Whether a text may contain a frame of a bundle; if not, it does not need to be parsed. */
export function mayHoldFrame(text: string): boolean {
  return text.includes(`${SUFFIX}:`)
}

/** The frames of a stack that are in bundles of extensions, topmost first. */
export function framesOf(stack: string): Frame[] {
  return stack.split('\n').flatMap((line) => parse(line)?.frame ?? [])
}

/** Replaces the locations in a stack. Takes linear time, because its message may come from a visitor. */
export function mapFrames(stack: string, placeOf: (frame: Frame) => string | undefined): string {
  if (!mayHoldFrame(stack)) return stack
  return stack
    .split('\n')
    .map((line) => {
      const parsed = parse(line)
      const place = parsed && placeOf(parsed.frame)
      return place === undefined ? line : `${parsed?.before}${place}${line.endsWith(')') ? ')' : ''}`
    })
    .join('\n')
}

/** A line is `at name (file:line:column)` or `at file:line:column`. */
function parse(text: string): { before: string; frame: Frame } | undefined {
  const end = text.lastIndexOf(`${SUFFIX}:`) + SUFFIX.length
  const beginning = end < SUFFIX.length ? undefined : BEGINNING.exec(text)
  const position = beginning && POSITION.exec(text.slice(end))
  if (!position) return undefined
  const parenthesis = text.endsWith(')') ? text.indexOf(' (') : -1
  const start = parenthesis < 0 ? beginning[0].length : parenthesis + 2
  const frame = { filename: text.slice(start, end), line: Number(position[1]), column: Number(position[2]) }
  return { before: text.slice(0, start), frame }
}
