import { type Frame, framesOf, isBundle, withoutVersion } from '../../app/loader/frames.ts'

/** How a process ended, as `ChildProcess` tells it. */
export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** Node prints this where it aborts. V8 made the frames that follow, so that no code can have invented them. */
const NATIVE_HEADING = '----- JavaScript stack trace -----'
const NATIVE_FRAME = /^\d+: /
/** The code that allocates last is not necessarily the code that filled the memory. */
const OUT_OF_MEMORY = /^FATAL ERROR: .*out of memory/m
/** Node's last line after an uncaught error, including one thrown by a handler of uncaught errors. */
const TRAILER = /\n\nNode\.js v\d[^\n]*$/
const STACK_LINE = /^ {4}at /
/** Node calls the callbacks of `async_hooks` from there. An error in one ends the process at once. */
const HOOK_CALLER = /\(node:internal\/async_hooks:/

/**
 * The stack of a fatal error that Node printed last on stderr, from the frame on whose extension is to blame, one frame
 * a line. `undefined` if the process ended in another way, or if the stack could be of one of several extensions: messages
 * of errors stand above the frames and may look like frames themselves.
 *
 * @param tail - The last of what the process wrote to stderr.
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

/** The same for all versions of an extension. */
function writtenIn(line: string): string | undefined {
  const bundle = bundleOf(line)
  return bundle && withoutVersion(bundle.filename)
}
