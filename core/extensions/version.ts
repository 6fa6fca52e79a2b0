import { basename, dirname, join, relative } from 'node:path'
import { type Bundle, bundleExtension } from './bundle.ts'
import { readDefinition } from './definition.ts'
import type { Source } from './discover.ts'
import { evaluateBundle } from './evaluate.ts'
import type { KeptBuilds } from './kept-builds.ts'
import { createScope, type ErrorListener, type HostParts, type Scope } from './scope.ts'
import type { Place, Traces } from './trace.ts'
import type { ExtensionDefinition } from './types.ts'

/** Milliseconds that `setup` may take. */
const SETUP_TIME = 30_000

/** One version of an extension, set up. */
export interface Version {
  readonly definition: ExtensionDefinition
  readonly bundle: Bundle
  readonly scope: Scope
  /** Undoes everything; never rejects. */
  dispose(): Promise<void>
}

export interface VersionParts {
  readonly host: HostParts
  readonly traces: Traces
  readonly keptBuilds: KeptBuilds
  /** The running host's own `core/index.ts`. */
  face(): object
}

/**
 * Loads an extension from its files and sets it up, with nothing of it visible yet.
 *
 * @param running - The version it is to replace.
 * @param onError - Takes what its callbacks throw once it runs.
 * @throws Error whose message says what is wrong, in which file and line; nothing is left behind.
 */
export async function setUpVersion(
  source: Source,
  { host, traces, keptBuilds, face }: VersionParts,
  onError: (version: Version, ...error: Parameters<ErrorListener>) => void,
  running?: Version,
): Promise<Version> {
  const bundle = await bundleExtension(source.entry, keptBuilds)
  traces.add(source.id, bundle)
  let scope: Scope | undefined
  let version: Version | undefined
  try {
    const definition = readDefinition(traces.run(bundle, () => evaluateBundle(bundle, face())))
    if (definition.id !== source.id) {
      throw new Error(`Its id is "${definition.id}", but "${source.id}" was expected. Write the id as a plain text.`)
    }
    scope = createScope(
      source.id,
      host,
      {
        onError(error, where, requestId) {
          if (version) onError(version, error, where, requestId)
          else host.log.error({ err: error, extension: source.id, where }, 'extension threw while it was set up')
        },
        placeOf(error) {
          const place = traces.locate(error)
          return place && `${relative(dirname(source.entry), place.file)}:${place.line}`
        },
      },
      running?.scope,
    )
    const { host: scoped, catchUp } = scope
    await inTime(
      traces.run(bundle, async () => {
        await definition.setup(scoped)
        await catchUp()
      }),
    )
    const { dispose } = scope
    version = {
      definition,
      bundle,
      scope,
      async dispose() {
        await dispose()
        traces.remove(bundle)
      },
    }
    return version
  } catch (error) {
    const reason = describeError(error, traces.locate(error), source)
    await scope?.dispose()
    traces.remove(bundle)
    throw new Error(reason, { cause: error })
  }
}

/** The message, and the author's file and line that it came from. */
export function describeError(error: unknown, place: Place | undefined, source: Pick<Source, 'entry'>): string {
  const message = error instanceof Error ? error.message : String(error)
  if (!place) return message
  const folder = dirname(source.entry)
  return `${message} (${join(basename(folder), relative(folder, place.file))}:${place.line})`
}

async function inTime(work: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`Its setup took longer than ${SETUP_TIME} ms.`)), SETUP_TIME)
  try {
    await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
