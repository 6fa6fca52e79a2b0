import { type ExtensionHost, type ResponseOf, RestError, RestResponse, success, successSchema } from 'pentad'
import { z } from 'zod'
import type { PwaSettings } from '../settings.ts'
import { type Icon, iconShape, type SplashScreen, splashScreenShape } from '../types.ts'
import { createAssetFolder } from './asset-folder.ts'
import { createAssetRecord } from './asset-record.ts'
import { createGenerateAssets } from './generate-assets.ts'
import { ICON_FILES, type IconFile } from './icons.ts'
import { SPLASH_SCREEN_FILES } from './splash-screens.ts'

const assetCheckShape = z.object({
  exists: z.boolean(),
  missing: z.array(z.string()).describe('Names of missing files.'),
})
const checkShape = z.object({ icons: assetCheckShape, splashScreens: assetCheckShape })

/** Which files of each kind exist. */
type AssetCheck = ResponseOf<typeof checkShape>

const setShape = z.object({ icons: z.array(iconShape), splashScreens: z.array(splashScreenShape) })
const makingShape = z.object({ done: z.int(), total: z.int() }).nullable()
const shownSetShape = setShape.extend({
  exists: z.boolean(),
  making: makingShape.describe('Progress of the set that is being generated.'),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
})
const madeSetShape = setShape.extend({ took: z.int().describe('Duration in milliseconds.') })

/** Icons and splash screens of the app. */
export interface Assets {
  /** Icons for the manifest; empty if they were not generated yet. */
  icons(): Icon[]
  splashScreens(): SplashScreen[]
  /** Path of a file of the set, by its name: `favicon.ico`. */
  pathOf(name: string): string | undefined
  check(): Promise<AssetCheck>
}

/**
 * Generates icons and splash screens from the app icon and the background color: `POST /pwa-assets/save` and `POST
 * /pwa-assets/check`.
 */
export function registerAssets(host: ExtensionHost, settings: () => PwaSettings): Assets {
  const folder = createAssetFolder(host)
  const record = createAssetRecord(host)
  const generate = createGenerateAssets(host, { settings, folder, record })
  const pathOf = (name: string) => {
    const version = record.version()
    return version === undefined ? undefined : folder.pathOf(version, name)
  }
  const toIcon = ({ name, side, type, purpose }: IconFile): Icon[] => {
    const src = pathOf(name)
    return src === undefined ? [] : [{ src, sizes: `${side}x${side}`, type, purpose }]
  }

  const assets: Assets = {
    icons: () => ICON_FILES.filter((file) => file.isInManifest).flatMap(toIcon),
    splashScreens: () =>
      SPLASH_SCREEN_FILES.flatMap(({ name, media }) => {
        const src = pathOf(name)
        return src === undefined ? [] : [{ src, media }]
      }),
    pathOf,
    async check() {
      const version = record.version()
      const checkThose = async (files: readonly { readonly name: string }[]) => {
        const names = files.map(({ name }) => name)
        const missing = version === undefined ? names : await folder.missing(version, names)
        return { exists: missing.length === 0, missing }
      }
      return { icons: await checkThose(ICON_FILES), splashScreens: await checkThose(SPLASH_SCREEN_FILES) }
    },
  }

  host.rest.registerRoute('pwa/v1', {
    method: 'POST',
    path: '/pwa-assets/check',
    access: 'manage_options',
    summary: 'Checks whether the icons and splash screens exist.',
    response: successSchema(checkShape),
    handler: async () => success(await assets.check()),
  })
  /** Error of the last background run. */
  let failure: RestError | undefined
  let isMaking = false
  let lastSeen = 0

  async function makeInBackground(): Promise<void> {
    isMaking = true
    lastSeen = 0
    failure = undefined
    try {
      await generate()
    } catch (error) {
      failure =
        error instanceof RestError
          ? error
          : new RestError('internal_error', 'The icons could not be generated.', { status: 500 })
      if (!(error instanceof RestError)) host.log.error({ err: error }, 'icon generation failed')
    } finally {
      isMaking = false
    }
  }

  /** Progress of the set that is being generated, `null` if none is. */
  async function making(): Promise<ResponseOf<typeof makingShape>> {
    const total = ICON_FILES.length + SPLASH_SCREEN_FILES.length
    const drawn = await folder.drawn()
    if (drawn === undefined && !isMaking) {
      lastSeen = 0
      return null
    }
    // Finished files are moved away one by one, so the count must not decrease.
    lastSeen = Math.max(lastSeen, Math.min(drawn ?? 0, total))
    return { done: lastSeen, total }
  }

  host.rest.registerRoute('pwa/v1', {
    method: 'GET',
    path: '/pwa-assets/fetch',
    access: 'manage_options',
    summary: 'Returns the icons and splash screens and the generation progress.',
    response: successSchema(shownSetShape),
    handler: async () =>
      success({
        icons: ICON_FILES.flatMap(toIcon),
        splashScreens: assets.splashScreens(),
        ...{ exists: record.version() !== undefined, making: await making() },
        error: failure ? { code: failure.code, message: failure.message } : null,
      }),
  })
  host.rest.registerRoute('pwa/v1', {
    method: 'POST',
    path: '/pwa-assets/save',
    access: 'manage_options',
    summary: 'Generates icons and splash screens from the app icon and the background color.',
    input: z.object({
      wait: z
        .boolean()
        .default(true)
        .describe('`false` runs in the background; `/pwa-assets/fetch` returns the progress.'),
    }),
    response: successSchema(z.union([madeSetShape, z.object({ making: makingShape })])),
    // Drawing has its own time limit.
    timeLimit: Infinity,
    async handler({ input }) {
      const start = performance.now()
      if (!input.wait) {
        void makeInBackground()
        return new RestResponse(success({ making: await making() }), { status: 202 })
      }
      await generate()
      failure = undefined
      const took = Math.round(performance.now() - start)
      return success({ icons: ICON_FILES.flatMap(toIcon), splashScreens: assets.splashScreens(), took })
    },
  })
  return assets
}
