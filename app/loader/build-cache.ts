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
        ...['bundle.ts', 'evaluate.ts', 'literals.ts', 'metadata.ts'],
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
  /** V8's code cache for code with that hash; `undefined` if nothing is cached, or another site or version of the host cached it. */
  readCompiled(entry: string, hash: string): Promise<Buffer | undefined>
  /** In the background, as `write`. */
  writeCompiled(entry: string, hash: string, compiled: Buffer): void
  /** Waits for pending writes. */
  close(): Promise<void>
}

type Kind = 'bundle' | 'compiled' | 'metadata' | 'sandbox'

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
  const codeOf = ({ key }: Place, kind: Kind, entry: string, content: Buffer, of: string) =>
    createHmac('sha256', key)
      .update(JSON.stringify([makers, kind, entry, of]))
      .update(content)
      .digest('hex')

  /** What was written there, if it is signed. @param of - What it was made of, if that is not checked later. */
  async function readFrom(place: Place, kind: Kind, entry: string, of = ''): Promise<Buffer | undefined> {
    const all = await readFile(fileOf(place, kind, entry)).catch(() => Buffer.alloc(0))
    const [given, content] = [all.subarray(0, DIGITS), all.subarray(DIGITS)]
    const wanted = Buffer.from(codeOf(place, kind, entry, content, of))
    return given.length === wanted.length && timingSafeEqual(given, wanted) ? content : undefined
  }

  /** @returns whether the place could be written to */
  async function writeTo(place: Place, kind: Kind, entry: string, content: Buffer, of: string): Promise<boolean> {
    const file = fileOf(place, kind, entry)
    try {
      mkdirSync(place.folder, { recursive: true })
      await writeAtomically(file, Buffer.concat([Buffer.from(codeOf(place, kind, entry, content, of)), content]), {
        mode: place.mode,
      })
      return true
    } catch {
      return false
    }
  }

  function write(kind: Kind, entry: string, content: Buffer, of = ''): void {
    const written = writeNow(kind, entry, content, of)
    writing.add(written)
    void written.finally(() => writing.delete(written))
  }

  async function writeNow(kind: Kind, entry: string, content: Buffer, of: string): Promise<void> {
    for (const place of placesOf(entry)) if (await writeTo(place, kind, entry, content, of)) return
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
        const content = await readFrom(place, kind, entry)
        const build = content && currentOf(JSON.parse(content.toString()))
        if (build === undefined) continue
        known.set(`${kind} ${entry}`, build)
        return build
      }
      return undefined
    },
    write(kind, entry, build) {
      known.set(`${kind} ${entry}`, build)
      write(kind, entry, Buffer.from(JSON.stringify(build)))
    },
    async readCompiled(entry, hash) {
      for (const place of placesOf(entry)) {
        const compiled = await readFrom(place, 'compiled', entry, hash)
        if (compiled) return compiled
      }
      return undefined
    },
    writeCompiled: (entry, hash, compiled) => write('compiled', entry, compiled, hash),
    async close() {
      await Promise.all(writing)
    },
  }
}
