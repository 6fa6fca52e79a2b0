import {
  type ExtensionHost,
  type GeneratedWorker,
  generatedWorkerShape,
  type Scripts,
  success,
  successAnswer,
} from 'pentad'
import type { Assets } from '../assets/index.ts'
import type { Push } from '../push/index.ts'
import type { PwaSettings } from '../settings.ts'
import { buildFarewell, buildWorker } from './build.ts'
import './hooks.ts'
import { needsWorker, workerSettings } from './worker-settings.ts'

/** Asked by the performance service; a plugin of its own, so its declaration is not ours. */
const SPEED_FILTER: string = 'speed_registers_serviceworker'

/** Records whose content is in the worker: settings of the site, of ours, and of extensions that add their part. */
const WRITTEN_INTO_IT = /_settings$|^pwa_assets$/

/** What pages need of the worker. */
export interface ServiceWorker {
  /** Its path, once it is in place; `undefined` if there is to be none, or it could not be made. */
  registered(): Promise<string | undefined>
}

/**
 * The service worker (contract 4): built from our source and the settings, passed through `pwa_serviceworker`, put in
 * place in one stroke. Once nothing needs it, one that removes itself takes its place.
 */
export function registerServiceWorker(
  host: ExtensionHost,
  parts: { settings: () => PwaSettings; scripts: Scripts; assets: Pick<Assets, 'pathOf'>; push: Push },
): ServiceWorker {
  const { hooks, log, rest } = host
  const { settings, scripts, assets, push } = parts
  const file = scripts.serviceWorker()

  /** @throws RestError 500 `invalid_serviceworker`; then the old one stays */
  async function generateNow(): Promise<GeneratedWorker> {
    const current = settings()
    return file.write(needsWorker(current) ? await makeWorker(current) : await buildFarewell())
  }

  async function makeWorker(current: PwaSettings): Promise<string> {
    const publicKey = await push.publicKey()
    const built = await buildWorker(
      current,
      await workerSettings(host, current, { path: file.path, assets, publicKey }),
    )
    return hooks.applyFiltersAsync('pwa_serviceworker', built, current)
  }

  // One after the other, so that the file is never that of older settings.
  let last: Promise<unknown> = Promise.resolve()
  function generate(): Promise<GeneratedWorker> {
    const next = last.then(generateNow, generateNow)
    last = next.catch(() => {})
    return next
  }

  let isInPlace: Promise<boolean> | undefined

  /** Browsers that have a worker look for a new one when they open a page, also a page that is cached. */
  async function renew(): Promise<void> {
    isInPlace = generate().then(
      () => true,
      (error) => {
        log.error({ err: error }, 'the service worker could not be made')
        return false
      },
    )
    await isInPlace
  }

  // Other extensions add their part by their own settings.
  hooks.addAction('updated_option', async (name) => {
    if (WRITTEN_INTO_IT.test(name)) await renew()
  })
  hooks.addAction('extension_switched', renew)
  hooks.addFilter(SPEED_FILTER, (registers: unknown) => (needsWorker(settings()) ? false : registers))
  rest.registerRoute('pwa/v1', {
    method: 'POST',
    path: '/service-worker/generate',
    access: 'manage_options',
    summary: 'Builds the service worker from the settings as they are now.',
    answer: successAnswer(generatedWorkerShape),
    handler: async () => success(await generate()),
  })

  return {
    async registered() {
      // At first the file of an earlier version of this code may lie there.
      if (!isInPlace) await renew()
      return (await isInPlace) && needsWorker(settings()) ? file.path : undefined
    },
  }
}
