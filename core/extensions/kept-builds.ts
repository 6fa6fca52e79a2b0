import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { z } from 'zod'
import type { SiteKey } from '../options/site-key.ts'

/** What results also depend on, beside the extension's files: esbuild's version, and how it is called here. */
const MAKERS = [
  fileURLToPath(import.meta.resolve('esbuild/package.json')),
  ...['bundle.ts', 'metadata.ts', 'dependencies.ts'].map((file) => join(import.meta.dirname, file)),
]

/** Hexadecimal digits of SHA-256. */
const DIGITS = 64

/**
 * What esbuild made of extensions, kept between starts, so that most starts need no esbuild. It lies in the site's own
 * folder, and every file carries a code made with the site's key: what the site did not write itself is never run,
 * whoever may write to the folder.
 */
export interface KeptBuilds {
  /** `undefined` where nothing is kept, or where it is damaged, foreign or of another version of the host. */
  read<Kept>(kind: Kind, entry: string, schema: z.ZodType<Kept>): Promise<Kept | undefined>
  /** In the background; a folder that can't be written to only costs time at the next start. */
  write(kind: Kind, entry: string, kept: object): void
  /** Waits for what is being written. */
  close(): Promise<void>
}

type Kind = 'bundle' | 'metadata'

/**
 * What this process has made, for its next host: the site is opened again after a restore, and tests open many. The
 * same for all sites, since it comes from the extension's files alone.
 */
const made = new Map<string, object>()

/** @param folder may be thrown away */
export function createKeptBuilds(folder: string, siteKey: SiteKey): KeptBuilds {
  const key = siteKey.derive('kept builds')
  const makers = hash('sha256', MAKERS.map((file) => hash('sha256', readFileSync(file))).join())
  const writing = new Set<Promise<void>>()

  const fileOf = (kind: Kind, entry: string) => join(folder, `${hash('sha256', entry).slice(0, 32)}.${kind}`)
  const codeOf = (kind: Kind, entry: string, text: string) =>
    createHmac('sha256', key)
      .update(JSON.stringify([makers, kind, entry]))
      .update(text)
      .digest('hex')

  async function writeNow(kind: Kind, entry: string, text: string): Promise<void> {
    const file = fileOf(kind, entry)
    const temporary = `${file}.${randomBytes(8).toString('hex')}.tmp`
    try {
      mkdirSync(folder, { recursive: true })
      await writeFile(temporary, `${codeOf(kind, entry, text)}${text}`, { flag: 'wx', mode: 0o600 })
      await rename(temporary, file)
    } catch {
      await rm(temporary, { force: true }).catch(() => {})
    }
  }

  return {
    async read(kind, entry, schema) {
      const inMemory = schema.safeParse(made.get(`${kind} ${entry}`)).data
      if (inMemory !== undefined) return inMemory
      const all = await readFile(fileOf(kind, entry), 'utf8').catch(() => '')
      const [code, text] = [all.slice(0, DIGITS), all.slice(DIGITS)]
      const wanted = Buffer.from(codeOf(kind, entry, text))
      const given = Buffer.from(code)
      if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return undefined
      return schema.safeParse(JSON.parse(text)).data
    },
    write(kind, entry, kept) {
      made.set(`${kind} ${entry}`, kept)
      const written = writeNow(kind, entry, JSON.stringify(kept))
      writing.add(written)
      void written.finally(() => writing.delete(written))
    },
    async close() {
      await Promise.all(writing)
    },
  }
}
