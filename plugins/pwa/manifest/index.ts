import { hash } from 'node:crypto'
import { direction, type ExtensionHost, type PageContext, toLanguage } from 'pentad'
import { FAVICON } from '../assets/icons.ts'
import type { Assets } from '../assets/index.ts'
import '../hooks.ts'
import type { PwaSettings } from '../settings.ts'
import { headTags } from './head-tags.ts'
import { findImages, imagesOf, rejectUnknownImages } from './images.ts'
import { buildManifest, type Manifest, type ManifestSite } from './manifest.ts'

/** Path of the manifest, which all pages link to. */
export const MANIFEST_PATH = '/manifest.webmanifest'

/** Serves the web app manifest and adds its tags to the head of every page. */
export function registerManifest(
  host: ExtensionHost,
  { settings, assets }: { settings: () => PwaSettings; assets: Pick<Assets, 'icons' | 'splashScreens' | 'pathOf'> },
): void {
  const { content, hooks, log, site } = host

  function describeSite(): ManifestSite {
    const { title, description, language } = content.siteSettings()
    const tag = toLanguage(language)
    return { title, tagline: description, language: tag, direction: direction(tag), url: site.url }
  }

  async function write(): Promise<string> {
    const current = settings()
    const images = await findImages(host, imagesOf(current))
    const manifest = buildManifest(current, describeSite(), { icons: assets.icons(), images })
    const filtered = await hooks.applyFiltersAsync('pwa_manifest', manifest)
    return toJson(filtered) ?? JSON.stringify(manifest)
  }

  function toJson(manifest: Manifest): string | undefined {
    try {
      const json = JSON.stringify(manifest)
      if (json.startsWith('{')) return json
      log.error('filter pwa_manifest did not return an object')
    } catch (error) {
      log.error({ err: error }, 'result of filter pwa_manifest cannot be serialized')
    }
    return undefined
  }

  rejectUnknownImages(host)
  hooks.addAction('template_redirect', (page) => {
    if (page.request.path === MANIFEST_PATH && !page.responded) return write().then((json) => respond(page, json))
  })
  /** The tags of the last page, with everything that they depend on: the paths of icons and splash screens change together. */
  let last: { readonly inputs: readonly unknown[]; readonly tags: string } | undefined
  hooks.addAction('wp_head', (output) => {
    const current = settings()
    const inputs = [current, content.siteSettings(), assets.pathOf(FAVICON)]
    if (!last?.inputs.every((input, at) => input === inputs[at])) {
      last = { inputs, tags: headTags(current, describeSite(), { manifestPath: MANIFEST_PATH, assets }) }
    }
    output.print(last.tags)
  })
}

/** Revalidated on each visit. */
function respond(page: PageContext, json: string): void {
  const etag = `"${hash('sha256', json, 'base64url').slice(0, 22)}"`
  const headers = { ETag: etag, 'Cache-Control': 'public, max-age=0, must-revalidate' }
  const known = page.request.headers['if-none-match']?.split(',').map((one) => one.trim().replace(/^W\//, '')) ?? []
  if (known.includes(etag) || known.includes('*')) page.respond({ status: 304, headers })
  else page.respond({ headers: { ...headers, 'Content-Type': 'application/manifest+json' }, body: json })
}
