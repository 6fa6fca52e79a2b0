/** Errors of the host, of the guest, and of calls that were ended. */
import { RestError } from '../../core/errors.ts'
import { allowedHeaders } from './headers.ts'
import type { KillReason, SandboxLimits } from './messages.ts'

/** Why a call was ended, for the log and the report. */
export interface Kill {
  readonly reason: KillReason
  /** The hook, route or event. */
  readonly what: string
  readonly stack: string
}

/** The extension broke a limit. */
export class SandboxKilled extends Error {
  override readonly name = 'SandboxKilled'
  readonly kill: Kill

  constructor(
    kill: Kill,
    { cpu, wall, memory, requests }: Pick<SandboxLimits, 'cpu' | 'wall' | 'memory' | 'requests'>,
  ) {
    const limits: Record<KillReason, string> = {
      cpu: `needed more than ${cpu} ms of CPU time`,
      wall: `took longer than ${wall} ms`,
      memory: `needed more than ${Math.round(memory / 1024 / 1024)} MB of memory`,
      crash: 'crashed the sandbox',
      requests: `sent more than ${requests} requests to the site at the same time`,
    }
    super(`${kill.what} ${limits[kill.reason]} and was terminated.`)
    this.kill = kill
    this.stack = `${this.name}: ${this.message}\n${kill.stack}`
  }
}

/** Further errors in one response of a guest. */
const MOST_ADDITIONAL = 100

/** An error of the host, as the guest receives it: without its stack, which has paths of the server. */
export function describe(error: unknown): object {
  if (error instanceof RestError) {
    const { code, message, data, headers } = error
    return { code, message, data, headers }
  }
  return { message: error instanceof Error ? error.message : String(error) }
}

/** Whether the guest threw because it reached its limit of memory. */
export function isOutOfMemory(given: unknown): boolean {
  return isRecord(given) && given.name === 'InternalError' && given.message === 'out of memory'
}

/** The stack trace of an error that the guest threw; empty if it is none. */
export function stackOf(given: unknown): string {
  return isRecord(given) && typeof given.stack === 'string' ? given.stack.slice(0, 4_000) : ''
}

/** An error that the guest threw. */
export function toError(given: unknown): Error {
  const { code, message, data, headers, additional, stack, name } = isRecord(given) ? given : {}
  const text = String(message).slice(0, 4_000)
  if (typeof code === 'string' && isRecord(data)) {
    const status = Number(data.status)
    const isStatus = Number.isInteger(status) && status >= 400 && status <= 599
    const error = new RestError(
      code.slice(0, 100),
      text,
      { ...data, status: isStatus ? status : 500 },
      allowedHeaders(isRecord(headers) ? headers : {}),
    )
    for (const one of Array.isArray(additional) ? additional.slice(0, MOST_ADDITIONAL).filter(isRecord) : [])
      error.add(
        String(one.code).slice(0, 100),
        String(one.message).slice(0, 4_000),
        isRecord(one.data) ? one.data : null,
      )
    return error
  }
  const error = new Error(text)
  error.stack = `${typeof name === 'string' ? name.slice(0, 100) : 'Error'}: ${text}\n${String(stack ?? '').slice(0, 4_000)}`
  return error
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
