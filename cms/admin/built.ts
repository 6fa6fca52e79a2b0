import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

/** The entry of the client in Vite's manifest. */
const ENTRY = 'src/main.tsx'

const manifestSchema = z.record(
  z.string(),
  z.object({
    file: z.string(),
    css: z.array(z.string()).default([]),
    imports: z.array(z.string()).default([]),
  }),
)

/** The files that the page loads, as paths relative to `/wp-admin/`. */
export interface BuiltClient {
  readonly script: string
  readonly styles: readonly string[]
  /** Static imports of the script, to preload. */
  readonly preloads: readonly string[]
}

/** Reads the manifest of the build, again after a new build. `undefined` if there is no build. */
export function createBuiltClient(folder: string): () => Promise<BuiltClient | undefined> {
  const path = join(folder, '.vite', 'manifest.json')
  let known: { readonly moment: number; readonly client: BuiltClient | undefined } | undefined

  return async () => {
    const stats = await stat(path).catch(() => undefined)
    if (!stats) return undefined
    if (known?.moment !== stats.mtimeMs) known = { moment: stats.mtimeMs, client: await read(path) }
    return known.client
  }
}

async function read(path: string): Promise<BuiltClient | undefined> {
  const manifest = manifestSchema.parse(JSON.parse(await readFile(path, 'utf8')))
  const entry = manifest[ENTRY]
  if (!entry) return undefined
  const names = new Set<string>()
  const collect = (imports: readonly string[]) => {
    for (const name of imports) {
      if (names.has(name)) continue
      names.add(name)
      collect(manifest[name]?.imports ?? [])
    }
  }
  collect(entry.imports)
  const imported = [...names].flatMap((name) => manifest[name] ?? [])
  return {
    script: entry.file,
    styles: [...new Set([...imported, entry].flatMap(({ css }) => css))],
    preloads: imported.map(({ file }) => file),
  }
}
