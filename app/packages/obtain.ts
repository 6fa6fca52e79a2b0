import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { conflict, invalidPackage } from './errors.ts'
import { checkIntegrity, integrityOf } from './integrity.ts'
import { type Downloaded, downloadUrl, MAX_PACKAGE, type Registry, type Release } from './registry.ts'
import type { PackageSource } from './source.ts'

const HOUR = 3_600_000
/** What is known of a file or URL. */
const FROM_FILE = { name: null, signedBy: null, hasProvenance: false, provenance: null }

/** A package on this machine, until disposed of. */
export interface Obtained extends AsyncDisposable, Omit<Downloaded, 'content'> {
  /** An archive or a folder. */
  readonly path: string
  /** Its name in the registry; `null` for a file or URL. */
  readonly name: string | null
  /** `null` for a folder. */
  readonly integrity: string | null
  /** For display. */
  readonly from: string
}

/**
 * Downloads packages.
 *
 * @param folder - For temporary files.
 */
export function createObtain(
  registry: Registry,
  folder: string,
): (source: PackageSource, ignoresDelay: boolean) => Promise<Obtained> {
  async function store(
    content: Buffer,
    rest: Omit<Obtained, 'path' | 'integrity' | typeof Symbol.asyncDispose>,
  ): Promise<Obtained> {
    const own = await mkdtemp(join(folder, 'package-'))
    const path = join(own, 'package')
    await writeFile(path, content, { mode: 0o600 })
    const dispose = () => rm(own, { recursive: true, force: true })
    return { ...rest, path, integrity: integrityOf(content), [Symbol.asyncDispose]: dispose }
  }

  return async (source, ignoresDelay) => {
    if (source.type === 'url') {
      const content = await downloadUrl(source.url)
      if (source.integrity !== undefined) checkIntegrity(content, source.integrity, basename(source.url))
      const { origin, pathname } = new URL(source.url)
      return store(content, { ...FROM_FILE, from: `${origin}${pathname}` })
    }
    if (source.type === 'path') return fromPath(source.path)
    const release = await registry.resolve(source.name, source.range)
    if (release.heldUntil !== undefined && !ignoresDelay) throw heldBack(release)
    const { name, version } = release
    const { content, ...verified } = await registry.download(release)
    return store(content, { ...verified, name, from: `${name}@${version}` })
  }
}

async function fromPath(path: string): Promise<Obtained> {
  const found = await stat(path).catch(() => undefined)
  if (!found) throw invalidPackage(`${path} does not exist.`)
  if (!found.isDirectory() && found.size > MAX_PACKAGE) {
    throw invalidPackage(`The file is larger than ${MAX_PACKAGE / 1024 ** 2} MB.`)
  }
  const integrity = found.isDirectory() ? null : integrityOf(await readFile(path))
  return { ...FROM_FILE, path, integrity, from: basename(path), [Symbol.asyncDispose]: async () => {} }
}

function heldBack({ name, version, published, heldUntil = 0 }: Release) {
  const age =
    published === undefined
      ? 'at an unknown time'
      : new Intl.RelativeTimeFormat('en').format(-Math.floor((Date.now() - published) / HOUR), 'hour')
  const when = Number.isFinite(heldUntil) ? ` It can be installed after ${new Date(heldUntil).toISOString()}.` : ''
  return conflict(
    `${name} ${version} was published ${age}, so this site’s release delay still applies.${when} ` +
      'To install it now, ignore the delay, or change it in the settings.',
  )
}
