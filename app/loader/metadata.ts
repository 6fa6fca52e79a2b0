import { hash } from 'node:crypto'
import { extname } from 'node:path'
import type { Loader } from 'esbuild'
import { z } from 'zod'
import { withEsbuild } from '../../cms/esbuild.ts'
import type { ExtensionMetadata } from '../../core/extensions/source.ts'
import type { BuildCache } from './build-cache.ts'

const metadataSchema = z.object({
  id: z.string(),
  name: z.string(),
  version: z.string(),
  description: z.string(),
  pro: z.boolean(),
}) satisfies z.ZodType<ExtensionMetadata>

const cachedMetadata = z.object({ of: z.string(), metadata: metadataSchema })

/** Start of the definition object in minified code. */
const BEGINNING = /\bdefineExtension\)?\(\{|\bexport default\s*\{/
/** One property with a literal value, and what follows it. */
const PROPERTY = /([\w$]+):("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|true|false|!0|!1)(,|\})/y

/**
 * Reads the literals at the start of `defineExtension({ id: '…', name: '…', … })` without running anything: the code of
 * an inactive extension never runs. Values that are not literals are taken from `fallbackId` until the extension runs.
 *
 * @throws Error if the file is not TypeScript or JavaScript; its message names line and problem.
 */
export async function readMetadata(
  source: string,
  file: string,
  fallbackId: string,
  builds: BuildCache,
): Promise<ExtensionMetadata> {
  const of = hash('sha256', JSON.stringify([source, fallbackId]))
  const cached = await builds.read('metadata', file, cachedMetadata, (one) => one.of === of)
  if (cached) return cached.metadata
  const metadata = await findMetadata(source, file, fallbackId)
  builds.write('metadata', file, { of, metadata })
  return metadata
}

async function findMetadata(source: string, file: string, fallbackId: string): Promise<ExtensionMetadata> {
  const loader = loaderOf(file)
  const { code } = await withEsbuild(({ transform }) =>
    transform(source, { loader, minifyWhitespace: true, charset: 'utf8', sourcefile: file, logLevel: 'silent' }),
  )
  const found = readLiterals(code)
  const text = (key: string) => (typeof found[key] === 'string' ? found[key] : undefined)
  const id = text('id') ?? fallbackId
  return {
    id,
    name: text('name') ?? id,
    version: text('version') ?? '',
    description: text('description') ?? '',
    pro: found.pro === true,
  }
}

function loaderOf(file: string): Loader {
  const suffix = extname(file)
  const language = suffix.includes('ts') ? 'ts' : 'js'
  return suffix.endsWith('x') ? `${language}x` : language
}

function readLiterals(code: string): Record<string, string | boolean> {
  const literals: Record<string, string | boolean> = {}
  const beginning = BEGINNING.exec(code)
  if (!beginning) return literals
  PROPERTY.lastIndex = beginning.index + beginning[0].length
  for (let match = PROPERTY.exec(code); match; match = PROPERTY.exec(code)) {
    const [, key = '', literal = '', end] = match
    const value = readLiteral(literal)
    if (value !== undefined) literals[key] = value
    if (end === '}') break
  }
  return literals
}

function readLiteral(literal: string): string | boolean | undefined {
  if (literal === 'true' || literal === '!0') return true
  if (literal === 'false' || literal === '!1') return false
  const inner = literal.slice(1, -1)
  try {
    const json = literal.startsWith("'") ? inner.replaceAll("\\'", "'").replaceAll('"', '\\"') : inner
    return String(JSON.parse(`"${json}"`))
  } catch {
    return undefined
  }
}
