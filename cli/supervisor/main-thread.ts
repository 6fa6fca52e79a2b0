import { type Debugger, type Runtime, Session } from 'node:inspector'
import { fileURLToPath } from 'node:url'
import { IDENTIFY, type Identified } from './heartbeat.ts'

/** The main thread as another one sees it through the inspector, also while its event loop is blocked. */
export interface MainThread extends Disposable {
  /** With the debugger enabled. */
  readonly session: Session
  /**
   * Pauses the main thread, identifies the extension whose code is running (stepping once if there is none), and resumes. `undefined` if it
   * runs no JavaScript during that time, for example inside a native call.
   */
  sample(milliseconds: number): Promise<Sample | undefined>
  /** Of stacks, as text. While the main thread is stopped. */
  identify(stacks: readonly string[]): Promise<readonly Identified[]>
  /** In the format of `error.stack`. */
  stackOf(frames: readonly Debugger.CallFrame[]): string
  lineOf(frame: Omit<Runtime.CallFrame, 'scriptId'>): string
}

export interface Sample {
  readonly stack: string
  readonly owner: Identified
}

export function connectMainThread(): MainThread {
  const session = new Session()
  session.connectToMainThread()
  const urls = new Map<string, string>()
  session.on('Debugger.scriptParsed', ({ params }) => urls.set(params.scriptId, params.url))
  session.post('Debugger.enable')

  /** Uses a path even if the inspector reports a URL. */
  function lineOf({ functionName, url, lineNumber, columnNumber }: Omit<Runtime.CallFrame, 'scriptId'>): string {
    const file = url.startsWith('file:') ? fileURLToPath(url) : url
    return `at ${functionName || '<anonymous>'} (${file}:${lineNumber + 1}:${columnNumber + 1})`
  }

  function stackOf(frames: readonly Debugger.CallFrame[]): string {
    const lines = frames.map(({ functionName, location: { scriptId, lineNumber, columnNumber = 0 } }) =>
      lineOf({ functionName, url: urls.get(scriptId) ?? '', lineNumber, columnNumber }),
    )
    return lines.join('\n')
  }

  function identify(stacks: readonly string[]): Promise<readonly Identified[]> {
    const expression = `globalThis[Symbol.for(${JSON.stringify(IDENTIFY)})](...${JSON.stringify(stacks)})`
    return new Promise((resolve) => {
      session.post('Runtime.evaluate', { expression, returnByValue: true }, (error, result) => {
        const value: unknown = result?.result.value
        resolve(error || typeof value !== 'string' ? [] : JSON.parse(value))
      })
    })
  }

  /** Stops the main thread in one of two ways. @returns its stack; `undefined` if it does not stop in time */
  async function stop(how: 'Debugger.pause' | 'Debugger.stepInto', milliseconds: number): Promise<string | undefined> {
    const paused = Promise.withResolvers<string | undefined>()
    const timer = setTimeout(() => paused.resolve(undefined), milliseconds)
    session.once('Debugger.paused', ({ params }) => paused.resolve(stackOf(params.callFrames)))
    session.post(how)
    const stack = await paused.promise
    clearTimeout(timer)
    return stack
  }

  /** @returns `undefined` if it takes longer, for example because each allocation waits for garbage collection */
  async function ownerOf(stack: string, milliseconds: number): Promise<Identified | undefined> {
    const late = Promise.withResolvers<undefined>()
    const timer = setTimeout(() => late.resolve(undefined), milliseconds)
    const result = await Promise.race([identify([stack]), late.promise])
    clearTimeout(timer)
    return result && (result[0] ?? null)
  }

  return {
    session,
    async sample(milliseconds) {
      const stack = await stop('Debugger.pause', milliseconds)
      if (stack === undefined) return undefined
      const owner = await ownerOf(stack, milliseconds)
      let sample: Sample = { stack, owner: owner ?? null }
      if (owner === null) {
        // Between two microtasks the stack contains only Node's frames; a step leads into the next one.
        const next = await stop('Debugger.stepInto', milliseconds)
        if (next === undefined) return sample
        sample = { stack: next, owner: (await ownerOf(next, milliseconds)) ?? null }
      }
      session.post('Debugger.resume')
      return sample
    },
    identify,
    stackOf,
    lineOf,
    [Symbol.dispose]: () => session.disconnect(),
  }
}
