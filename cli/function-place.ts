import { type Runtime, Session } from 'node:inspector'
import { fileURLToPath } from 'node:url'

/** A function bound again and again is followed so far. */
const MOST_BOUND = 20
/** Name of the global by which the inspector receives the function. */
const ASKED = Symbol.for('pentad.asked-function')

/**
 * Source location of a function as a stack frame; of a bound function, that of its target. Takes milliseconds, because V8 provides it only
 * to the inspector.
 */
export function placeOfFunction(value: unknown): string | undefined {
  const session = new Session()
  session.connect()
  try {
    const urls = new Map<string, string>()
    session.on('Debugger.scriptParsed', ({ params }) => urls.set(params.scriptId, params.url))
    session.post('Debugger.enable')
    Reflect.set(globalThis, ASKED, value)
    const expression = `globalThis[Symbol.for(${JSON.stringify(ASKED.description)})]`
    // Within one thread, `post` calls back synchronously.
    let objectId: string | undefined
    session.post('Runtime.evaluate', { expression }, (_error, result) => {
      objectId = result?.result.objectId
    })
    for (let hop = 0; objectId !== undefined && hop < MOST_BOUND; hop++) {
      const inner = internalsOf(session, objectId)
      const place: unknown = inner['[[FunctionLocation]]']?.value
      if (isLocation(place)) return toFrame(urls.get(place.scriptId) ?? '', place)
      objectId = inner['[[TargetFunction]]']?.objectId
    }
    return undefined
  } finally {
    Reflect.deleteProperty(globalThis, ASKED)
    session.disconnect()
  }
}

function internalsOf(session: Session, objectId: string): Record<string, Runtime.RemoteObject | undefined> {
  let found: Runtime.InternalPropertyDescriptor[] = []
  session.post('Runtime.getProperties', { objectId, ownProperties: true }, (_error, result) => {
    found = result?.internalProperties ?? []
  })
  return Object.fromEntries(found.map(({ name, value }) => [name, value]))
}

interface Location {
  readonly scriptId: string
  readonly lineNumber: number
  readonly columnNumber: number
}

function isLocation(value: unknown): value is Location {
  return typeof value === 'object' && value !== null && 'scriptId' in value && 'lineNumber' in value
}

function toFrame(url: string, { lineNumber, columnNumber }: Location): string {
  const file = url.startsWith('file:') ? fileURLToPath(url) : url
  return `    at ${file}:${lineNumber + 1}:${columnNumber + 1}`
}
