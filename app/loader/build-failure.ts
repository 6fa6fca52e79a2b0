import { basename, join, relative, resolve } from 'node:path'
import type { BuildFailure } from 'esbuild'

const TOP_LEVEL_AWAIT = 'Top-level await is not supported in extensions. Use await in setup instead.'

/** The errors of esbuild, each with the extension's file and line. */
export function describeFailure(error: unknown, folder: string): string {
  if (!isBuildFailure(error)) return error instanceof Error ? error.message : String(error)
  return error.errors
    .slice(0, 5)
    .map(({ text, location }) => {
      const plain = explain(text, folder)
      return location
        ? `${plain} (${join(basename(folder), relative(folder, resolve(folder, location.file)))}:${location.line})`
        : plain
    })
    .join('\n')
}

/** Replaces esbuild's messages with clearer ones for authors who are not familiar with it. */
function explain(text: string, folder: string): string {
  if (/top-level await/i.test(text)) return TOP_LEVEL_AWAIT
  const [, specifier] = /^Could not resolve "(.+)"$/.exec(text) ?? []
  if (specifier === undefined) return text
  if (/\/jsx-(?:dev-)?runtime$/.test(specifier)) {
    return `JSX needs React or Preact in the extension. Run npm install react, or preact, in ${basename(folder)}.`
  }
  if (/^[./]/.test(specifier)) return `There is no file "${specifier}".`
  const [name] = /^(?:@[^/]+\/)?[^/]+/.exec(specifier) ?? []
  return `The package "${specifier}" is not installed. Run npm install ${name} in ${basename(folder)}.`
}

function isBuildFailure(error: unknown): error is BuildFailure {
  return error instanceof Error && 'errors' in error && Array.isArray(error.errors)
}
