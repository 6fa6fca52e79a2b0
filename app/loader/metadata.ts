import { hash } from 'node:crypto'
import { extname } from 'node:path'
import type { Loader } from 'esbuild'
import { z } from 'zod'
import { withEsbuild } from '../../cms/esbuild.ts'
import { readRegularFile } from '../../cms/site/files/regular-file.ts'
import { hashOf } from '../../cms/site/scripts/dependencies.ts'
import type { BuildCache } from './build-cache.ts'
import { type Literal, readProperties } from './literals.ts'

const requiresSchema = z.object({
  pentad: z.string().optional(),
  extensions: z.record(z.string(), z.string()).optional(),
})

const isolationSchema = z.enum(['process', 'sandbox', 'optional'])

const metadataSchema = z.object({
  id: z.string(),
  name: z.string(),
  version: z.string(),
  description: z.string(),
  pro: z.boolean(),
  requires: requiresSchema.optional(),
  /** `sandbox`: it runs in a sandbox, where it can do only what its permissions allow. `optional`: if an administrator wants that. */
  isolation: isolationSchema,
})

/** What the definition of an extension says about it, read without running its code. */
export type Manifest = z.output<typeof metadataSchema>

/** Properties that the host must know before an extension runs. */
const READ_FIRST = ['requires'] as const

/** Something that is called `isolation`, next to a text "sandbox" that may be its value. */
const ISOLATION = /[{,]["']?isolation["']?[,}:]/
const SANDBOX = /["'`]sandbox["'`]/
const WRITE_ISOLATION =
  "Write isolation: 'sandbox' before setup, after other literals only: it must be known before the extension runs."

const cachedMetadata = z.object({ of: z.string(), metadata: metadataSchema })

/** Start of the definition object in minified code. */
const BEGINNING = /\bdefineExtension\)?\(\{|\bexport default\s*\{/

/**
 * Reads the literals at the start of `defineExtension({ id: '…', name: '…', … })` without running anything: the code of
 * an inactive extension never runs. Values that are not literals are taken from `fallbackId` until the extension runs.
 *
 * @throws Error if the file cannot be read, or is not TypeScript or JavaScript; its message names line and problem.
 */
export async function readMetadata(
  file: string,
  fallbackId: string,
  builds: BuildCache | undefined,
): Promise<Manifest> {
  // Each scan reads all extensions: the hash of an unchanged file is known.
  const found = hashOf(file)
  const cached = await builds?.read('metadata', file, cachedMetadata, ({ of }) => of === `${fallbackId} ${found}`)
  if (cached) return cached.metadata
  const source = await readRegularFile(file)
  const metadata = await findMetadata(source, file, fallbackId)
  builds?.write('metadata', file, { of: `${fallbackId} ${hash('sha256', source, 'base64url')}`, metadata })
  return metadata
}

async function findMetadata(source: string, file: string, fallbackId: string): Promise<Manifest> {
  const loader = loaderOf(file)
  const { code } = await withEsbuild(({ transform }) =>
    transform(source, { loader, minifyWhitespace: true, charset: 'utf8', sourcefile: file, logLevel: 'silent' }),
  )
  const found = readLiterals(code)
  // It must not run with all power because its isolation could not be read.
  if (found.isolation === undefined && ISOLATION.test(code) && SANDBOX.test(code)) throw new Error(WRITE_ISOLATION)
  const text = (key: string) => (typeof found[key] === 'string' ? found[key] : undefined)
  const id = text('id') ?? fallbackId
  const requires = requiresSchema.optional().safeParse(found.requires)
  if (!requires.success) {
    throw new Error("requires must be an object such as { pentad: '>=0.1', extensions: { shop: '^2.0.0' } }.")
  }
  return {
    id,
    name: text('name') ?? id,
    version: text('version') ?? '',
    description: text('description') ?? '',
    pro: found.pro === true,
    ...(requires.data && { requires: requires.data }),
    isolation: isolationSchema.catch('process').parse(found.isolation),
  }
}

/**
 * Checks that the code does not require more than what was read without running it.
 *
 * @param exported - The exports of the entry file.
 * @throws Error naming the property that must be written as a literal
 */
export function checkReadFirst(exported: unknown, manifest: Manifest): void {
  const definition = memberOf(exported, 'default') ?? exported
  // For example because it is in another file.
  if ((memberOf(definition, 'isolation') ?? 'process') !== manifest.isolation) throw new Error(WRITE_ISOLATION)
  const unread = READ_FIRST.find((key) => memberOf(definition, key) !== undefined && manifest[key] === undefined)
  if (unread !== undefined) {
    throw new Error(`Write ${unread} before setup, as a literal: it must be known before the extension runs.`)
  }
}

function memberOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}

function loaderOf(file: string): Loader {
  const suffix = extname(file)
  const language = suffix.includes('ts') ? 'ts' : 'js'
  return suffix.endsWith('x') ? `${language}x` : language
}

function readLiterals(code: string): Readonly<Record<string, Literal>> {
  const beginning = BEGINNING.exec(code)
  return beginning ? readProperties(code, beginning.index + beginning[0].length) : {}
}
