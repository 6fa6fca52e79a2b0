import { createHash } from 'node:crypto'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { RestError } from '../../../core/errors.ts'
import { RefusedAddress } from '../../http/public-address.ts'
import { extensionsByContent } from '../media/file-type.ts'
import { allowedKind, MIME_TYPES, typeOfExtension } from '../media/mime-types.ts'
import { replaceFile } from '../media/place.ts'
import { sanitizeSvg } from '../media/svg.ts'
import type { UploadFiles } from '../media/upload-files.ts'
import { fetchResumable, PermanentFailure, removeResumable } from './resumable-file.ts'
import type { WantedFile } from './wanted-files.ts'

/** Number of concurrent downloads. */
const AT_ONCE = 4
/** Additional delay of each attempt compared with the previous one, in ms. */
const ATTEMPTS = 3
const WAIT = 1000
/** Maximum failures of a host that has never responded. */
const MOST_FAILURES = 10

export interface DownloadOptions {
  /** Whether a non-public address is allowed. Default: none is. */
  readonly isTrusted?: (url: URL) => boolean
}

/**
 * Downloads media from the old site, from public addresses only, and checks the type of each file by its content like that of an upload.
 * Complete files are in the uploads folder; partial downloads are stored for the next import.
 * @returns the reasons for failures, by path below the uploads folder
 */
export async function downloadFiles(
  files: readonly WantedFile[],
  parts: {
    siteDir: string
    uploads: UploadFiles
    isTrusted: DownloadOptions['isTrusted']
    signal: AbortSignal
    onProgress(done: number, bytes: number): void
  },
): Promise<ReadonlyMap<string, string>> {
  const { siteDir, uploads, isTrusted, signal, onProgress } = parts
  const folder = join(siteDir, 'tmp', 'import')
  await mkdir(folder, { recursive: true })
  const failures = new Map<string, string>()
  const hosts = createHosts()
  let bytes = 0
  let done = 0

  async function fetchOnce(file: string, source: string): Promise<void> {
    const part = join(folder, createHash('sha256').update(`${source} ${file}`).digest('hex').slice(0, 32))
    await fetchResumable(source, part, {
      ...{ isTrusted, signal },
      onBytes(count) {
        bytes += count
        onProgress(done, bytes)
      },
    })
    try {
      await replaceFile(await checked(part, file), uploads, file)
    } finally {
      await removeResumable(part)
    }
  }

  async function fetchPatiently(file: string, source: string): Promise<void> {
    if (!URL.canParse(source)) throw new Error(`${source} is not a URL`)
    const { host } = new URL(source)
    for (let attempt = 1; ; attempt++) {
      signal.throwIfAborted()
      if (hosts.isDead(host)) throw new Error(`${host} does not respond`)
      try {
        await fetchOnce(file, source)
        hosts.note(host, true)
        return
      } catch (error) {
        const isFinal = isOfNoUse(error)
        hosts.note(host, isFinal)
        if (isFinal || attempt === ATTEMPTS) throw error
      }
      await setTimeout(WAIT * attempt, undefined, { signal })
    }
  }

  /** @returns the reason of a failure; `undefined` if the file was downloaded */
  async function fetchFile({ file, sources }: WantedFile): Promise<string | undefined> {
    if (typeOfExtension(MIME_TYPES, extensionOf(file)) === undefined) return 'file type not allowed'
    let failure: string | undefined = 'its URL is unknown'
    for (const source of sources) {
      failure = await fetchPatiently(file, source).then(
        () => undefined,
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      )
      signal.throwIfAborted()
      if (failure === undefined) break
    }
    return failure
  }

  const queue = files.values()
  async function work(): Promise<void> {
    for (const wanted of queue) {
      const failure = await fetchFile(wanted)
      if (failure !== undefined) failures.set(wanted.file, failure)
      onProgress(++done, bytes)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  if (failures.size === 0) await rm(folder, { recursive: true })
  return failures
}

/** The file, or a sanitized SVG. @throws PermanentFailure, RestError if it has another type */
async function checked(path: string, file: string): Promise<string | Uint8Array> {
  const extension = extensionOf(file)
  const found = await extensionsByContent(path, extension)
  const kind = allowedKind(MIME_TYPES, found, extension)
  // Servers may send images in a format other than their name indicates, which browsers display anyway.
  const isImage = kind?.type.startsWith('image/') && typeOfExtension(MIME_TYPES, extension)?.startsWith('image/')
  const isSvg = found.includes('svg')
  if (!kind || (!found.includes(extension) && (!isImage || isSvg || extension === 'svg')))
    throw new PermanentFailure(`the downloaded file is not a .${extension} file`)
  return isSvg ? sanitizeSvg(await readFile(path)).bytes : path
}

/** Whether another attempt would end the same way. */
function isOfNoUse(error: unknown): boolean {
  const isUnknown = error instanceof Error && 'code' in error && error.code === 'ENOTFOUND'
  return isUnknown || error instanceof PermanentFailure || error instanceof RefusedAddress || error instanceof RestError
}

function extensionOf(file: string): string {
  return file.slice(file.lastIndexOf('.') + 1).toLowerCase()
}

/** Tracks unresponsive hosts. */
function createHosts() {
  const failed = new Map<string, number>()
  return {
    note(host: string, succeeded: boolean): void {
      const count = failed.get(host) ?? 0
      // A host that has responded once is always retried.
      failed.set(host, succeeded ? Number.NEGATIVE_INFINITY : count + 1)
    },
    isDead: (host: string) => (failed.get(host) ?? 0) >= MOST_FAILURES,
  }
}
