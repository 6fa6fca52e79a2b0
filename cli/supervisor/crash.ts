import { type Frame, framesOf, isBundle, withoutVersion } from '../../app/loader/frames.ts'

/** Exit code and signal of a process, as in `ChildProcess`. */
export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** Node prints this heading when it aborts. V8 generates the frames that follow, so code cannot fake them. */
const NATIVE_HEADING = '----- JavaScript stack trace -----'
const NATIVE_FRAME = /^\d+: /
/** The code that allocates last is not necessarily the code that filled the memory. */
const OUT_OF_MEMORY = /^FATAL ERROR: .*out of memory/m
/** Node's last line after an uncaught error, including one thrown by a handler of uncaught errors. */
const TRAILER = /\n\nNode\.js v\d[^\n]*$/
const STACK_LINE = /^ {4}at /
/** The caller of `async_hooks` callbacks in Node. An error in one ends the process immediately. */
const HOOK_CALLER = /\(node:internal\/async_hooks:/

/**
 * The stack of a fatal error that Node printed last on stderr, starting at the frame of the responsible extension, one frame per line.
 * `undefined` if the process ended in another way, or the stack is ambiguous: error messages precede the frames and may look like frames.
 * @param tail - The end of the process's output on stderr.
 */
export function readCrash(tail: string, { code, signal }: Exit): string | undefined {
  const text = tail.replaceAll('\r\n', '\n').trimEnd()
  if (signal === 'SIGABRT' || code === 134) return abortedStack(text)
  if (code !== 1 && code !== 7) return undefined
  const trailer = TRAILER.exec(text)
  const lines = lastStack(trailer ? text.slice(0, trailer.index) : text)
  const isSuspect = trailer ? () => true : isHookCallback
  const suspects = lines.filter((line, at) => bundleOf(line) && isSuspect(line, at, lines))
  const [first] = suspects
  if (first === undefined || new Set(suspects.map(writtenIn)).size > 1) return undefined
  return lines.slice(lines.indexOf(first)).join('\n')
}

function abortedStack(text: string): string | undefined {
  const at = text.lastIndexOf(NATIVE_HEADING)
  if (at < 0 || OUT_OF_MEMORY.test(text)) return undefined
  const lines = text
    .slice(at + NATIVE_HEADING.length)
    .trim()
    .split('\n')
  if (!lines.every((line) => NATIVE_FRAME.test(line))) return undefined
  const stack = lines.map((line) => line.replace(NATIVE_FRAME, '    at '))
  const first = stack.findIndex((line) => bundleOf(line))
  return first < 0 ? undefined : stack.slice(first).join('\n')
}

/** The lines of the stack that the text ends with. */
function lastStack(text: string): string[] {
  const lines = text.split('\n')
  return lines.slice(lines.findLastIndex((line) => !STACK_LINE.test(line)) + 1)
}

function isHookCallback(line: string, at: number, lines: readonly string[]): boolean {
  return !HOOK_CALLER.test(line) && HOOK_CALLER.test(lines[at + 1] ?? '')
}

function bundleOf(line: string): Frame | undefined {
  return framesOf(line).find(({ filename }) => isBundle(filename))
}

/** The file name without the version of the extension. */
function writtenIn(line: string): string | undefined {
  const bundle = bundleOf(line)
  return bundle && withoutVersion(bundle.filename)
}
