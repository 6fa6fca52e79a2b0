import { SourceMap } from 'node:module'
import { dirname, resolve } from 'node:path'
import type { Bundle } from './bundle.ts'

/** Where in an extension's own files an error came from. */
export interface Place {
  readonly extension: string
  readonly file: string
  readonly line: number
}

/** Knows the bundles now running, and translates what a stack trace says of them into the author's files and lines. */
export interface Traces {
  add(extension: string, bundle: Bundle): void
  remove(bundle: Bundle): void
  /** The topmost frame that belongs to an extension. Also rewrites the error's stack. */
  locate(error: unknown): Place | undefined
}

/** Node's own source map support is a switch of the whole process, and keeps what it has read; this goes with the bundle. */
export function createTraces(): Traces {
  const bundles = new Map<string, { extension: string; bundle: Bundle; map?: SourceMap }>()

  function placeOf(filename: string, line: number, column: number): (Place & { column: number }) | undefined {
    const known = bundles.get(filename)
    if (!known) return undefined
    known.map ??= new SourceMap(JSON.parse(known.bundle.map))
    const entry = known.map.findEntry(line - 1, column - 1)
    if (!('originalSource' in entry)) return undefined
    return {
      extension: known.extension,
      file: resolve(dirname(filename), entry.originalSource),
      line: entry.originalLine + 1,
      column: entry.originalColumn + 1,
    }
  }

  return {
    add: (extension, bundle) => void bundles.set(bundle.filename, { extension, bundle }),
    remove: (bundle) => void bundles.delete(bundle.filename),
    locate(error) {
      if (!(error instanceof Error) || typeof error.stack !== 'string') return undefined
      let first: Place | undefined
      const stack = error.stack.replaceAll(
        /((?:\/|[A-Za-z]:\\)[^():]*\.cjs):(\d+):(\d+)/g,
        (frame, filename, line, column) => {
          const place = placeOf(filename, Number(line), Number(column))
          if (!place) return frame
          first ??= place
          return `${place.file}:${place.line}:${place.column}`
        },
      )
      if (first) {
        error.stack = stack
        places.set(error, first)
      }
      return first ?? places.get(error)
    },
  }
}

/** Errors whose stacks are rewritten already. */
const places = new WeakMap<Error, Place>()
