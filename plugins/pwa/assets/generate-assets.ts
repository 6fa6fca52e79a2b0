import { type ExtensionHost, RestError } from 'pentad'
import type { PwaSettings } from '../settings.ts'
import type { AssetFolder } from './asset-folder.ts'
import type { AssetRecord } from './asset-record.ts'
import { drawInProcess } from './draw-in-process.ts'
import { IconError } from './icon-error.ts'

/** Milliseconds after which another process takes over from one that crashed. */
const LEASE = 30_000

/** Generates and publishes the set. @throws RestError `missing_app_icon`, `invalid_app_icon` */
export type GenerateAssets = () => Promise<void>

/**
 * Generates one set at a time in the host's image queue, so that requests keep their share of the CPU. A call during a
 * run waits and then uses the current settings.
 */
export function createGenerateAssets(
  {
    content,
    hooks,
    jobs,
    onDispose,
    signal,
  }: Pick<ExtensionHost, 'content' | 'hooks' | 'jobs' | 'onDispose' | 'signal'>,
  { settings, folder, record }: { settings: () => PwaSettings; folder: AssetFolder; record: AssetRecord },
): GenerateAssets {
  async function makeSet(): Promise<true> {
    const { appIcon, backgroundColor } = settings()
    if (appIcon === 0) throw missingAppIcon('Choose an app icon first.')
    const version = await content.media
      .work(appIcon, (bytes) =>
        folder.add((path) => drawInProcess({ bytes, background: backgroundColor, folder: path }, signal)),
      )
      .catch((error) => {
        throw toRestError(error)
      })
    const previous = record.version()
    await record.store(version)
    // Open pages still use the previous set.
    await folder.keepOnly(previous === undefined ? [version] : [version, previous])
    if (version !== previous) hooks.doAction('purge_pages', { tags: ['site'], reason: 'The app icons were changed.' })
    return true
  }

  /** Processes would delete each other's files. */
  async function makeAlone(): Promise<void> {
    if (await jobs.withLease('pwa-assets', LEASE, makeSet)) return
    const message = 'The icons are already being generated. Try again in a moment.'
    throw new RestError('assets_in_progress', message, { status: 409 })
  }

  let last: Promise<void> = Promise.resolve()
  onDispose(() => last.catch(() => {}))
  return () => {
    last = last.catch(() => {}).then(makeAlone)
    return last
  }
}

function toRestError(error: unknown): unknown {
  if (error instanceof IconError)
    return new RestError('invalid_app_icon', error.message, { status: 400, reason: error.reason })
  if (error instanceof RestError && error.code === 'rest_unknown_attachment')
    return missingAppIcon('The app icon was deleted. Choose another image.')
  return error
}

function missingAppIcon(message: string): RestError {
  return new RestError('missing_app_icon', message, { status: 400 })
}
