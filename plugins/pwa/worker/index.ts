import {
  type ExtensionHost,
  type GeneratedWorker,
  generatedWorkerShape,
  type Scripts,
  success,
  successSchema,
} from 'pentad'
import type { Assets } from '../assets/index.ts'
import type { Push } from '../push/index.ts'
import type { PwaSettings } from '../settings.ts'
import { buildSelfDestroyingWorker, buildWorker } from './build.ts'
import './hooks.ts'
import { needsWorker, workerSettings } from './worker-settings.ts'

/** Filter of the performance plugin, declared there. */
const SPEED_FILTER: string = 'speed_registers_serviceworker'

/** Options that affect the worker: settings of the site, of this plugin, and of extensions that add code. */
const WRITTEN_INTO_IT = /_settings$|^pwa_assets$/

/** Worker API for the front end. */
export interface ServiceWorker {
  /** Its path once it is published; `undefined` if it is not needed or could not be generated. */
  registered(): Promise<string | undefined>
}

/**
 * The service worker: built from source and settings, filtered by `pwa_serviceworker` and published atomically. When it
 * is no longer needed, it is replaced with a self-destroying worker.
 */
export function registerServiceWorker(
  host: ExtensionHost,
  parts: { settings: () => PwaSettings; scripts: Scripts; assets: Pick<Assets, 'pathOf'>; push: Push },
): ServiceWorker {
  const { hooks, log, rest } = host
  const { settings, scripts, assets, push } = parts
  const file = scripts.serviceWorker()

  /** @throws RestError 500 `invalid_serviceworker`; then the previous one is kept */
  async function generateNow(): Promise<GeneratedWorker> {
    const current = settings()
    return file.write(
      needsWorker(current) ? await createWorker(current) : await buildSelfDestroyingWorker(scripts.bundle),
    )
  }

  async function createWorker(current: PwaSettings): Promise<string> {
    const publicKey = await push.publicKey()
    const built = await buildWorker(
      current,
      await workerSettings(host, current, { path: file.path, assets, publicKey }),
      scripts.bundle,
    )
    return hooks.applyFiltersAsync('pwa_serviceworker', built, current)
  }

  // Sequentially, so that the file always matches the latest settings.
  let last: Promise<unknown> = Promise.resolve()
  function generate(): Promise<GeneratedWorker> {
    const next = last.then(generateNow, generateNow)
    last = next.catch(() => {})
    return next
  }

  let isPublished: Promise<boolean> | undefined

  /** Regenerates the worker. Browsers check for updates whenever they open a page. */
  async function renew(): Promise<void> {
    isPublished = generate().then(
      () => true,
      (error) => {
        log.error({ err: error }, 'service worker generation failed')
        return false
      },
    )
    await isPublished
  }

  // Other extensions can add code depending on their settings.
  hooks.addAction('updated_option', async (name) => {
    if (WRITTEN_INTO_IT.test(name)) await renew()
  })
  hooks.addAction('extension_state_changed', renew)
  hooks.addFilter(SPEED_FILTER, (registers: unknown) => (needsWorker(settings()) ? false : registers))
  rest.registerRoute('pwa/v1', {
    method: 'POST',
    path: '/service-worker/generate',
    access: 'manage_options',
    summary: 'Generates the service worker from the current settings.',
    response: successSchema(generatedWorkerShape),
    handler: async () => success(await generate()),
  })

  return {
    async registered() {
      // The file may come from an earlier version of the plugin.
      if (!isPublished) await renew()
      return (await isPublished) && needsWorker(settings()) ? file.path : undefined
    },
  }
}
