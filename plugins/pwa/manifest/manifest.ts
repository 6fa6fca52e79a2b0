import type { JsonValue } from 'pentad'
import type { PwaSettings } from '../settings.ts'
import type { Icon } from '../types.ts'
import type { ManifestImage } from './images.ts'
import { appNames, plainLine } from './names.ts'

/** A web app manifest with standard member names (W3C Web Application Manifest and its extensions). */
export type Manifest = { readonly [member: string]: JsonValue }

/** Site data in the manifest. */
export interface ManifestSite {
  readonly title: string
  readonly tagline: string
  /** BCP 47. */
  readonly language: string
  readonly direction: 'ltr' | 'rtl'
  /** Origin. */
  readonly url: string
}

/**
 * The members in the order of the standard, without empty ones.
 * @param images existing images of the settings by attachment id
 */
export function buildManifest(
  settings: PwaSettings,
  site: ManifestSite,
  { icons, images }: { icons: readonly Icon[]; images: ReadonlyMap<number, ManifestImage> },
): Manifest {
  const { name, shortName } = appNames(settings, site)
  return withoutEmpty({
    id: settings.appId,
    name,
    short_name: shortName,
    description: plainLine(settings.description) || plainLine(site.tagline),
    lang: site.language,
    dir: site.direction,
    start_url: settings.startPath,
    scope: '/',
    display: settings.displayMode,
    display_override: settings.displayOverride,
    orientation: settings.orientation,
    theme_color: settings.themeColor,
    background_color: settings.backgroundColor,
    categories: settings.categories,
    icons: (icons.length > 0 ? icons : appIconItself(settings, images)).map(({ src, sizes, type, purpose }) => ({
      ...{ src, sizes, type, purpose },
    })),
    shortcuts: settings.shortcuts.map((shortcut) => shortcutOf(shortcut, images)),
    screenshots: settings.screenshots.flatMap((screenshot) => screenshotOf(screenshot, images)),
    launch_handler: settings.launchMode === 'auto' ? undefined : { client_mode: settings.launchMode },
    handle_links: settings.handleLinks === 'auto' ? undefined : settings.handleLinks,
    share_target: settings.shareTargetPath === '' ? undefined : shareTargetOf(settings.shareTargetPath),
    protocol_handlers: settings.protocolHandlers.map(({ protocol, url }) => ({ protocol, url })),
    file_handlers: settings.fileHandlers.map(({ action, accept }) => ({ action, accept })),
    related_applications: settings.relatedApplications.map((application) => withoutEmpty(application)),
    prefer_related_applications: settings.preferRelatedApplications === 'on' || undefined,
    iarc_rating_id: settings.iarcRatingId,
    edge_side_panel: settings.edgeSidePanelWidth === 0 ? undefined : { preferred_width: settings.edgeSidePanelWidth },
  })
}

/** The original image, until icons are generated. */
function appIconItself({ appIcon }: PwaSettings, images: ReadonlyMap<number, ManifestImage>): Icon[] {
  const image = images.get(appIcon)
  return image ? [{ src: image.src, sizes: image.sizes, type: image.type, purpose: 'any' }] : []
}

function shortcutOf(
  { name, shortName, description, url, icon }: PwaSettings['shortcuts'][number],
  images: ReadonlyMap<number, ManifestImage>,
): Manifest {
  const image = images.get(icon)
  const icons = image ? [{ src: image.src, sizes: image.sizes, type: image.type }] : []
  return withoutEmpty({ name, short_name: shortName, description, url, icons })
}

/** Skips deleted images. */
function screenshotOf(
  { image: id, label }: PwaSettings['screenshots'][number],
  images: ReadonlyMap<number, ManifestImage>,
): Manifest[] {
  const image = images.get(id)
  if (!image) return []
  const { src, sizes, type, width, height } = image
  return [withoutEmpty({ src, sizes, type, form_factor: width > height ? 'wide' : 'narrow', label })]
}

/** Shared data is passed in the query, so that the page needs no script. Chromium warns without `enctype`. */
function shareTargetOf(action: string): Manifest {
  const params = { title: 'title', text: 'text', url: 'url' }
  return { action, method: 'GET', enctype: 'application/x-www-form-urlencoded', params }
}

type Members = { readonly [member: string]: JsonValue | undefined }

function withoutEmpty(members: Members): Manifest {
  const kept = (value: JsonValue | undefined): value is JsonValue =>
    value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0)
  return Object.fromEntries(
    Object.entries(members).flatMap(([member, value]) => (kept(value) ? [[member, value] as const] : [])),
  )
}
