import { basename, join, relative, resolve } from 'node:path'
import type { BuildFailure } from 'esbuild'

const TOP_LEVEL_AWAIT = 'Top-level await is not possible in an extension: await in setup instead.'

/** What esbuild found wrong, each with the extension's file and line. */
export function describeFailure(error: unknown, folder: string): string {
  if (!isBuildFailure(error)) return error instanceof Error ? error.message : String(error)
  return error.errors
    .slice(0, 5)
    .map(({ text, location }) => {
      const plain = /top-level await/i.test(text) ? TOP_LEVEL_AWAIT : text
      return location
        ? `${plain} (${join(basename(folder), relative(folder, resolve(folder, location.file)))}:${location.line})`
        : plain
    })
    .join('\n')
}

function isBuildFailure(error: unknown): error is BuildFailure {
  return error instanceof Error && 'errors' in error && Array.isArray(error.errors)
}
