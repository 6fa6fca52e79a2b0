import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, sep } from 'node:path'
import type { z } from 'zod'
import { writeAtomically } from '../../core/files/atomic-write.ts'
import type { SiteKey } from '../../core/options/site-key.ts'

/** Whether this is the npm package: compiled, and possibly read-only. */
const IS_PACKAGE = import.meta.filename.endsWith('.js')

/** Dependencies of builds besides the extension's files: the version of esbuild, and the code that calls it. */
const MAKERS = [
  createRequire(import.meta.url).resolve('esbuild/package.json'),
  ...(IS_PACKAGE
    ? ['../../package.json']
    : [
        ...['bundle.ts', 'literals.ts', 'metadata.ts'],
        ...['../../cms/site/scripts/dependencies.ts', '../../cms/sandbox/bundle.ts'],
      ]
  ).map((file) => join(import.meta.dirname, file)),
]

/** Hexadecimal digits of SHA-256. */
const DIGITS = 64

/** Next to the product's compiled code: those who can write there can run any code anyway, so these builds have no MAC key. */
const PRODUCT_FOLDER = join(import.meta.dirname, '../../node_modules/.cache/pentad-extensions')

/**
 * Caches the builds of extensions, so that most starts do not need esbuild. The cache is in the site's folder, and each file has a MAC with
 * the site's key: a file written by another program is never run. Builds of the product's own extensions are cached with the product, for
 * all of its sites, if that folder is writable; never in the npm package.
 */
export interface BuildCache {
  /**
   * `undefined` if nothing is cached, or the cached build is damaged, not signed by this site, or from another version of the host.
   * @param isCurrent - Whether the dependencies are unchanged.
   */
  read<Build extends object>(
    kind: Kind,
    entry: string,
    schema: z.ZodType<Build>,
    isCurrent: (build: Build) => boolean,
  ): Promise<Build | undefined>
  /** In the background; a folder that is not writable only costs time at the next start. */
  write(kind: Kind, entry: string, build: object): void
  /** Waits for pending writes. */
  close(): Promise<void>
}

type Kind = 'bundle' | 'metadata' | 'sandbox'

/**
 * Builds created or read by this process, for further hosts: a site is reopened after a restore, and tests open many. Shared by all sites,
 * because builds depend only on the extension's files.
 */
const known = new Map<string, object>()

interface Place {
  readonly folder: string
  readonly key: Buffer
  readonly mode: number
}

/**
 * @param parts.folder - The site's own, which may be deleted.
 * @param parts.productFolders - Folders of the extensions that come with the product.
 */
export function createBuildCache({
  folder,
  siteKey,
  productFolders,
}: {
  folder: string
  siteKey: SiteKey
  productFolders: readonly string[]
}): BuildCache {
  const site: Place = { folder, key: siteKey.derive('kept builds'), mode: 0o600 }
  const product: Place = { folder: PRODUCT_FOLDER, key: Buffer.alloc(0), mode: 0o644 }
  const makers = hash('sha256', MAKERS.map((file) => hash('sha256', readFileSync(file))).join())
  const writing = new Set<Promise<void>>()

  const placesOf = (entry: string) =>
    !IS_PACKAGE && productFolders.some((one) => entry.startsWith(one + sep)) ? [product, site] : [site]
  const fileOf = (place: Place, kind: Kind, entry: string) =>
    join(place.folder, `${hash('sha256', entry).slice(0, 32)}.${kind}`)
  const codeOf = ({ key }: Place, kind: Kind, entry: string, text: string) =>
    createHmac('sha256', key)
      .update(JSON.stringify([makers, kind, entry]))
      .update(text)
      .digest('hex')

  async function readFrom(place: Place, kind: Kind, entry: string): Promise<unknown> {
    const all = await readFile(fileOf(place, kind, entry), 'utf8').catch(() => '')
    const [code, text] = [all.slice(0, DIGITS), all.slice(DIGITS)]
    const wanted = Buffer.from(codeOf(place, kind, entry, text))
    const given = Buffer.from(code)
    if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return undefined
    return JSON.parse(text)
  }

  /** @returns whether the place could be written to */
  async function writeTo(place: Place, kind: Kind, entry: string, text: string): Promise<boolean> {
    const file = fileOf(place, kind, entry)
    try {
      mkdirSync(place.folder, { recursive: true })
      await writeAtomically(file, `${codeOf(place, kind, entry, text)}${text}`, { mode: place.mode })
      return true
    } catch {
      return false
    }
  }

  async function writeNow(kind: Kind, entry: string, text: string): Promise<void> {
    for (const place of placesOf(entry)) if (await writeTo(place, kind, entry, text)) return
  }

  return {
    async read(kind, entry, schema, isCurrent) {
      const currentOf = (build: unknown) => {
        const { data } = schema.safeParse(build, { jitless: true })
        return data !== undefined && isCurrent(data) ? data : undefined
      }
      const inMemory = currentOf(known.get(`${kind} ${entry}`))
      if (inMemory !== undefined) return inMemory
      for (const place of placesOf(entry)) {
        const build = currentOf(await readFrom(place, kind, entry))
        if (build === undefined) continue
        known.set(`${kind} ${entry}`, build)
        return build
      }
      return undefined
    },
    write(kind, entry, build) {
      known.set(`${kind} ${entry}`, build)
      const written = writeNow(kind, entry, JSON.stringify(build))
      writing.add(written)
      void written.finally(() => writing.delete(written))
    },
    async close() {
      await Promise.all(writing)
    },
  }
}
