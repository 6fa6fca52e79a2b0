import { hash } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { writeAtomically } from '../../../core/files/atomic-write.ts'
import { buildScript } from './bundle.ts'
import { isUnchanged } from './dependencies.ts'

const cachedScript = z.object({
  script: z.string(),
  constants: z.string().describe('JSON.'),
  fingerprint: z.record(z.string(), z.string().nullable()),
})

type Cached = z.infer<typeof cachedScript>

/** Scripts bundled or read by this process, for further sites: they depend only on source files and constants. */
const known = new Map<string, Cached>()

/**
 * `bundleScript`, cached in a folder, in one file for the same parts: most starts need neither esbuild nor its process. The cache needs no
 * protection beyond that of the published scripts, which are in the same site folder.
 */
export async function bundleCached(
  folder: string,
  parts: readonly string[],
  values: Readonly<Record<string, unknown>>,
): Promise<string> {
  const name = `${hash('sha256', JSON.stringify(parts)).slice(0, 32)}.json`
  const file = join(folder, name)
  const constants = JSON.stringify(values)
  const isCurrent = (cached: Cached | undefined): cached is Cached =>
    cached?.constants === constants && isUnchanged(cached.fingerprint)
  const inMemory = known.get(name)
  if (isCurrent(inMemory)) return inMemory.script
  const stored = await read(file)
  if (isCurrent(stored)) {
    known.set(name, stored)
    return stored.script
  }
  const { script, fingerprint } = await buildScript(parts, values)
  if (fingerprint) {
    const built = { script, constants, fingerprint }
    known.set(name, built)
    await write(file, built)
  }
  return script
}

async function read(file: string): Promise<Cached | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '')
  try {
    return cachedScript.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** A folder that is not writable only costs time at the next start. */
async function write(file: string, cached: Cached): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
    .then(() => writeAtomically(file, JSON.stringify(cached), { mode: 0o600 }))
    .catch(() => {})
}
