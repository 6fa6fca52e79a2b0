import { SourceMap } from 'node:module'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { stackOf } from '../../core/errors.ts'
import type { Origin } from '../../core/extensions/origin.ts'
import type { Place } from '../../core/extensions/source.ts'
import type { Description } from '../../core/owner.ts'
import { type Bundle, sourceMapOf } from './bundle.ts'
import { type Frame, framesOf, mapFrames, mayHoldFrame, withoutVersion } from './frames.ts'

/** The extension responsible for an uncaught error. */
export interface Culprit {
  readonly extension: string
  /** Whether the version that caused it is still running. */
  readonly isRunning: boolean
  /** The hook or route that started the failed code, if the error itself has no frames of the extension. */
  readonly startedBy?: Description | undefined
}

/** Prefixes of frames of the host's own code; `chunks` is a folder of the npm package. */
const HOST = ['core', 'cms', 'app', 'cli', 'chunks'].map(
  (folder) => `${pathToFileURL(join(import.meta.dirname, '..', '..', folder)).href}/`,
)

/** Wrappers of native functions, whose frames are ignored. */
const AROUND_NATIVE = new URL('../faults/native-calls.ts', import.meta.url).href

interface MappedPlace extends Place {
  /** The author's file, line and column: `/site/extensions/hello/index.ts:12:5`. */
  readonly position: string
}

interface KnownBundle {
  readonly extension: string
  readonly bundle: Bundle
  map?: SourceMap
  /** By line and column of the bundle. The same code may fail a thousand times for one page. */
  readonly places: Map<string, MappedPlace | undefined>
}

/** Tracks the running bundles, and maps stack traces to the author's files and lines. */
export interface Traces {
  add(extension: string, bundle: Bundle): void
  remove(bundle: Bundle): void
  /** A stack mapped to the author's files and lines, including for the bundle that was replaced last. */
  mapStack(stack: string): string
  /** Maps the stacks in a log record (JSON): in errors, their causes, and texts that an extension created from them. */
  mapLine(line: string): string
  /** The topmost frame that belongs to an extension. Also rewrites the error's stack. */
  locate(error: unknown): Place | undefined
  /**
   * Attributes an uncaught error, in the handler: by the frames of its stack, including those of unloaded versions, or else by the code
   * that started the async context. In the latter case, an error with frames of the host belongs to the host.
   * @param origin - The code that started the async context, if known.
   */
  blame(error: unknown, origin: Origin | undefined): Culprit | undefined
  /** The topmost frame of a stack that belongs to an extension, even an unloaded one. */
  topmost(stack: string): { readonly extension: string; readonly place: Place | undefined } | undefined
}

/** Node's own source map support is process-wide and never frees maps; this one frees them with the bundle. */
export function createTraces(): Traces {
  const bundles = new Map<string, KnownBundle>()
  /** The last replaced or unloaded bundle of each extension, whose errors may be logged later. */
  const former = new Map<string, KnownBundle>()
  /** By file name without the number of the version. */
  const extensions = new Map<string, string>()
  /** Locations of errors whose stacks were already rewritten. */
  const places = new WeakMap<Error, Place>()

  function placeOf(frame: Frame): MappedPlace | undefined {
    const known = bundles.get(frame.filename) ?? former.get(extensions.get(withoutVersion(frame.filename)) ?? '')
    if (known?.bundle.filename !== frame.filename) return undefined
    const position = `${frame.line}:${frame.column}`
    if (!known.places.has(position)) known.places.set(position, mapFrame(known, frame))
    return known.places.get(position)
  }

  function mapStack(stack: string): string {
    return mapFrames(stack, (frame) => placeOf(frame)?.position)
  }

  function locate(error: unknown): Place | undefined {
    const stack = stackOf(error)
    // Not an error, or an unreadable one: a proxy may throw on access.
    if (stack === '' || !(error instanceof Error)) return undefined
    const topmost = framesOf(stack).find(({ filename }) => bundles.has(filename))
    const first = topmost && placeOf(topmost)
    if (first) {
      // Not by assignment, which throws if the stack is read-only.
      Reflect.set(error, 'stack', mapStack(stack))
      places.set(error, first)
    }
    return first ?? places.get(error)
  }

  function topmost(stack: string) {
    for (const frame of framesOf(stack)) {
      const extension = extensions.get(withoutVersion(frame.filename))
      if (extension !== undefined) return { extension, place: placeOf(frame) }
    }
    return undefined
  }

  return {
    add(extension, bundle) {
      bundles.set(bundle.filename, { extension, bundle, places: new Map() })
      extensions.set(withoutVersion(bundle.filename), extension)
    },
    remove(bundle) {
      const known = bundles.get(bundle.filename)
      if (known) former.set(known.extension, known)
      bundles.delete(bundle.filename)
    },
    mapStack,
    mapLine: (line) =>
      mayHoldFrame(line)
        ? `${JSON.stringify(JSON.parse(line), (_key, value) => (typeof value === 'string' ? mapStack(value) : value))}\n`
        : line,
    locate,
    topmost,
    blame(error, origin) {
      const place = locate(error)
      if (place) return { extension: place.extension, isRunning: true }
      const gone = topmost(stackOf(error))
      if (gone) return { extension: gone.extension, isRunning: false }
      if (!origin) return undefined
      const { extension, code, what } = origin
      // The host may have started it for its own purposes, for example a shared connection.
      if (what && isOfHost(stackOf(error))) return undefined
      return { extension, isRunning: bundles.has(code), startedBy: what }
    },
  }
}

function mapFrame(known: KnownBundle, frame: Frame): MappedPlace | undefined {
  known.map ??= new SourceMap(JSON.parse(sourceMapOf(known.bundle)))
  const place = placeIn(known.map, frame)
  if (!place) return undefined
  const folder = dirname(known.bundle.entry)
  return {
    extension: known.extension,
    shown: `${shownPath(place.file, folder)}:${place.line}`,
    inFolder: `${relative(folder, place.file)}:${place.line}`,
    position: `${place.file}:${place.line}:${place.column}`,
  }
}

/** The file as its author knows it: `hello/index.ts`. @param folder - Of the extension's entry. */
export function shownPath(file: string, folder: string): string {
  return join(basename(folder), relative(folder, file))
}

function isOfHost(stack: string): boolean {
  const lines = stack.split('\n').filter((line) => !line.includes(AROUND_NATIVE))
  return lines.some((line) => HOST.some((folder) => line.includes(folder)))
}

/**
 * Maps a frame of a bundle to the author's files.
 * @param map - The bundle's source map, as JSON or parsed.
 */
export function placeIn(
  map: string | SourceMap,
  { filename, line, column }: Frame,
): { file: string; line: number; column: number } | undefined {
  const read = typeof map === 'string' ? new SourceMap(JSON.parse(map)) : map
  const entry = read.findEntry(line - 1, column - 1)
  if (!('originalSource' in entry)) return undefined
  return {
    file: resolve(dirname(filename), entry.originalSource),
    line: entry.originalLine + 1,
    column: entry.originalColumn + 1,
  }
}
