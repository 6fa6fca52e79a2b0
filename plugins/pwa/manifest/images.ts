import { type ExtensionHost, RestError } from 'pentad'
import { z } from 'zod'
import { manifestSettings } from './settings.ts'

/** An attachment for the manifest. */
export interface ManifestImage {
  /** Path on the site, or an absolute URL. */
  readonly src: string
  /** `512x512`, or `any` for SVG without a size. */
  readonly sizes: string
  readonly type: string
  readonly width: number
  readonly height: number
}

const { appIcon, shortcuts, screenshots } = manifestSettings
const imageSettings = z.object({ appIcon, shortcuts, screenshots })

type ImageSettings = z.output<typeof imageSettings>

/** The attachments that exist and are images, by id. */
export async function findImages(
  { content, site }: Pick<ExtensionHost, 'content' | 'site'>,
  ids: readonly number[],
): Promise<Map<number, ManifestImage>> {
  const posts = await Promise.all([...new Set(ids)].filter((id) => id > 0).map((id) => content.posts.get(id)))
  const images = posts.flatMap((post) =>
    post?.type === 'attachment' && post.status !== 'trash' && post.mimeType.startsWith('image/') ? [post] : [],
  )
  const details = await content.media.details(images)
  return new Map(
    images.flatMap(({ id, mimeType }) => {
      const found = details.get(id)
      if (!found) return []
      const { url, width, height } = found
      const src = url.startsWith(`${site.url}/`) ? url.slice(site.url.length) : url
      return [[id, { src, sizes: width > 0 ? `${width}x${height}` : 'any', type: mimeType, width, height }] as const]
    }),
  )
}

/** Ids of all images in these settings. */
export function imagesOf(settings: ImageSettings): number[] {
  return Object.values(idsBySetting(settings)).flat()
}

function idsBySetting({ appIcon, shortcuts, screenshots }: ImageSettings): Record<keyof ImageSettings, number[]> {
  return {
    appIcon: [appIcon],
    shortcuts: shortcuts.map(({ icon }) => icon),
    screenshots: screenshots.map(({ image }) => image),
  }
}

/** Rejects settings with ids that are not images. */
export function rejectUnknownImages(host: Pick<ExtensionHost, 'content' | 'hooks' | 'site'>): void {
  host.hooks.addAction('pwa_settings_update:before', async (changes) => {
    const changed = imageSettings.parse(changes)
    const there = await findImages(host, imagesOf(changed))
    const params: Record<string, string> = {}
    for (const [key, ids] of Object.entries(idsBySetting(changed))) {
      const unknown = ids.find((id) => id > 0 && !there.has(id))
      if (unknown !== undefined) params[key] = `Image ${unknown} does not exist.`
    }
    const names = Object.keys(params)
    if (names.length === 0) return
    throw new RestError('rest_invalid_param', `Invalid parameter(s): ${names.join(', ')}`, { status: 400, params })
  })
}
