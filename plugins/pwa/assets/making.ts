import { type ExtensionHost, RestError } from 'pentad'
import type { PwaSettings } from '../settings.ts'
import type { AssetFolder } from './asset-folder.ts'
import type { AssetRecord } from './asset-record.ts'
import { drawInProcess } from './draw-in-process.ts'
import { IconRefused } from './icon-refused.ts'

/** Milliseconds after which another process takes over from one that died. */
const LEASE = 30_000

/** Of the performance service, a plugin of its own; without it nobody listens. */
const PURGE_ACTION: string = 'speed_purge'

/** Makes the set and puts it in place. @throws RestError `missing_app_icon`, `invalid_app_icon` */
export type Make = () => Promise<void>

/**
 * One set at a time, on one of the host's turns for images, so that requests keep their share of the processor. Who
 * asks while one is being made waits and gets one from the settings as they are then.
 */
export function createMaking(
  {
    content,
    hooks,
    jobs,
    onDispose,
    signal,
  }: Pick<ExtensionHost, 'content' | 'hooks' | 'jobs' | 'onDispose' | 'signal'>,
  { settings, folder, record }: { settings: () => PwaSettings; folder: AssetFolder; record: AssetRecord },
): Make {
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
    // Pages that visitors have open still name the files of the set before.
    await folder.keepOnly(previous === undefined ? [version] : [version, previous])
    if (version !== previous) hooks.doAction(PURGE_ACTION, { tags: ['site'], reason: 'The icons of the app changed.' })
    return true
  }

  /** Another process of the site would clear away what this one draws. */
  async function makeAlone(): Promise<void> {
    if (await jobs.withLease('pwa-assets', LEASE, makeSet)) return
    const message = 'The icons are being made already. Try again in a moment.'
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
  if (error instanceof IconRefused)
    return new RestError('invalid_app_icon', error.message, { status: 400, reason: error.reason })
  if (error instanceof RestError && error.code === 'rest_unknown_attachment')
    return missingAppIcon('The image that is the app icon was deleted. Choose another one.')
  return error
}

function missingAppIcon(message: string): RestError {
  return new RestError('missing_app_icon', message, { status: 400 })
}
