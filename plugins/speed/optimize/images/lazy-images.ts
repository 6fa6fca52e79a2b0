import { LRUCache } from 'lru-cache'
import { type ExtensionHost, escapeHtml } from 'pentad'
import type { ReadPageSheets } from '../css/page-sheets.ts'
import { hasHeight, type SheetFacts } from '../css/sheet-facts.ts'
import type { FindLocalFile } from '../files/local-files.ts'
import { allowsInlineStyles } from '../html/content-policy.ts'
import type { HtmlDocument, HtmlElement } from '../html/document.ts'
import type { PageWork, Transform } from '../transform.ts'
import { type ImageSize, readImageSize } from './image-size.ts'
import { isMarkedEager, shownElements } from './page-images.ts'
import '../hooks.ts'

/** WordPress's defaults: `wp_min_priority_img_pixels`, `wp_omit_loading_attr_threshold`. */
const MIN_PRIORITY_PIXELS = 50_000
const IN_VIEW = 3
/** Bytes in the first response packets. Images further down are discovered late, so a preload helps. */
const FOUND_EARLY = 14_000

/** An image or frame of a page. */
interface Medium {
  readonly element: HtmlElement
  /** Size unless a style sheet changes it. */
  readonly size: ImageSize | undefined
  /** Attributes to add. */
  readonly added: Record<string, string>
}

/**
 * Lazy loads images and frames, and adds dimensions to images to prevent layout shifts. The likely largest contentful
 * image gets high priority instead. Explicit `loading` attributes are unchanged.
 *
 * Follows WordPress: the first three are not lazy, nor are images without dimensions, which would cause layout shifts.
 */
export function createLazyImages(
  host: ExtensionHost,
  parts: { findLocalFile: FindLocalFile; readPageSheets: ReadPageSheets },
): Transform {
  const { findLocalFile, readPageSheets } = parts
  const { hooks } = host
  const minPixels = () => hooks.applyFilters('wp_min_priority_img_pixels', MIN_PRIORITY_PIXELS)
  const threshold = () => hooks.applyFilters('wp_omit_loading_attr_threshold', IN_VIEW)
  // `max` would preallocate memory for all entries, which costs milliseconds at each start.
  const sizes = new LRUCache<string, { readonly size: ImageSize | undefined }>({
    maxSize: 5000,
    sizeCalculation: () => 1,
  })

  async function sizeOfFile(address: string, work: PageWork): Promise<ImageSize | undefined> {
    const url = work.resolve(address)
    const file = url && (await findLocalFile(url))
    if (!file) return undefined
    const known = sizes.get(file.identity)
    if (known) return known.size
    const size = await readImageSize(file)
    sizes.set(file.identity, { size })
    return size
  }

  async function look(element: HtmlElement, work: PageWork, sheets: SheetFacts | undefined): Promise<Medium> {
    const written = writtenSize(element)
    if (element.name === 'iframe' || written) return { element, size: written, added: {} }
    const natural = await sizeOfFile(element.attributes.get('src') ?? '', work)
    const size = natural && fittedSize(element, natural)
    if (!size || !sheets || !takesSize(element, sheets)) return { element, size, added: {} }
    const missing = { width: String(size.width), height: String(size.height), 'data-sized': '' }
    return { element, size, added: missing }
  }

  return {
    name: 'lazyImages',
    isOn: ({ lazyImages }) => lazyImages === 'on',
    async run(document, work) {
      const elements = shownElements(document, work, 'img', 'iframe').filter(({ attributes }) => attributes.get('src'))
      if (elements.length === 0) return
      const mayStyle = allowsInlineStyles(work.policies)
      const sheets = mayStyle && !elements.every(writtenSize) ? await readPageSheets(document, work) : undefined
      const media = await Promise.all(elements.map((element) => look(element, work, sheets)))
      const pixels = work.read('wp_min_priority_img_pixels', minPixels)
      const inView = work.read('wp_omit_loading_attr_threshold', threshold)
      const large = media.filter(({ size }) => !size || size.width * size.height >= pixels)
      const inViewUntil = large[inView]?.element.start ?? Number.POSITIVE_INFINITY
      const first = hasPriority(document) ? undefined : firstToWaitFor(large.slice(0, inView))

      for (const medium of media) {
        const { element, added } = medium
        const { attributes } = element
        if (element.name === 'img' && !attributes.has('decoding')) added.decoding = 'async'
        if (medium === first) added.fetchpriority = 'high'
        else if (isBelow(element, inViewUntil) && mayBeLazy(medium, added)) added.loading = 'lazy'
        document.setAttributes(element, added)
      }
      // `:where` has no specificity, so theme rules win. Without it, a theme's `max-width` would distort the image.
      if (media.some(({ added }) => added['data-sized'] !== undefined))
        document.prependToHead('<style>:where(img[data-sized]){height:auto}</style>')
      if (first && first.element.start > FOUND_EARLY) document.prependToHead(preload(document, first.element))
    },
  }
}

function writtenSize({ attributes }: HtmlElement): ImageSize | undefined {
  const width = Number(attributes.get('width') ?? '')
  const height = Number(attributes.get('height') ?? '')
  return width > 0 && height > 0 ? { width, height } : undefined
}

/** The intrinsic size, scaled to a given side. */
function fittedSize({ attributes }: HtmlElement, natural: ImageSize): ImageSize {
  const width = Number(attributes.get('width') ?? '')
  const height = Number(attributes.get('height') ?? '')
  if (width > 0) return { width, height: Math.max(1, Math.round((width * natural.height) / natural.width)) }
  if (height > 0) return { width: Math.max(1, Math.round((height * natural.width) / natural.height)), height }
  return natural
}

/** Whether `width` and `height` attributes reserve space without changing the appearance. */
function takesSize(element: HtmlElement, sheets: SheetFacts): boolean {
  const { attributes } = element
  const isRelative = [attributes.get('width'), attributes.get('height')].some(
    (side) => side && !/^\s*\d+\s*$/.test(side),
  )
  const hasDensities = attributes.has('srcset') && !/\s\d+w\s*(?:,|$)/.test(attributes.get('srcset') ?? '')
  return (
    !isRelative &&
    !hasDensities &&
    !/height|block-size/i.test(attributes.get('style') ?? '') &&
    !hasHeight(element, sheets)
  )
}

/** Whether the page already prioritizes an image. */
function hasPriority(document: HtmlDocument): boolean {
  return document
    .allWithProtected('img', 'link')
    .some(({ name, attributes }) =>
      name === 'img'
        ? attributes.get('fetchpriority')?.toLowerCase() === 'high'
        : attributes.get('rel') === 'preload' && attributes.get('as') === 'image',
    )
}

/** The first image in view, unless a frame comes first or it has explicit attributes. */
function firstToWaitFor(large: readonly Medium[]): Medium | undefined {
  const [first] = large
  if (!first?.size || first.element.name !== 'img') return undefined
  const { attributes } = first.element
  const isLazy = attributes.get('loading')?.toLowerCase() === 'lazy'
  return isLazy || attributes.has('fetchpriority') || isBelow(first.element, Number.POSITIVE_INFINITY)
    ? undefined
    : first
}

/** Whether it is below the images in view, or in the footer. */
function isBelow(element: HtmlElement, inViewUntil: number): boolean {
  if (element.start >= inViewUntil) return true
  for (let parent = element.parent; parent; parent = parent.parent) {
    if (parent.name === 'article') return false
    if (parent.name === 'footer') return true
  }
  return false
}

function mayBeLazy({ element, size }: Medium, added: Readonly<Record<string, string>>): boolean {
  const { attributes } = element
  if (attributes.has('loading') || attributes.get('fetchpriority') === 'high' || isMarkedEager(element)) return false
  if (element.name === 'iframe') return !isHiddenFrame(element)
  return size !== undefined && (added.width !== undefined || writtenSize(element) !== undefined)
}

/** Hidden frames do background work and would never come into view. */
function isHiddenFrame({ attributes }: HtmlElement): boolean {
  const isTiny = [attributes.get('width'), attributes.get('height')].some((side) => side && Number(side) <= 4)
  const style = attributes.get('style') ?? ''
  return isTiny || attributes.has('hidden') || /display\s*:\s*none|visibility\s*:\s*hidden/i.test(style)
}

/** A preload for the image that the browser will select; `''` if that depends on media queries. */
function preload(document: HtmlDocument, image: HtmlElement): string {
  const sources = document.allWithProtected('source').filter(({ parent }) => parent === image.parent)
  const isPictured = image.parent?.name === 'picture'
  const chosen = isPictured ? sources[0] : image
  if (!chosen || chosen.attributes.has('media')) return ''
  const attributes: Record<string, string | undefined> = {
    href: chosen === image ? image.attributes.get('src') : undefined,
    // Browsers ignore preloads of unsupported types.
    type: chosen === image ? undefined : chosen.attributes.get('type'),
    imagesrcset: chosen.attributes.get('srcset'),
    imagesizes: chosen.attributes.get('sizes'),
    crossorigin: image.attributes.get('crossorigin'),
  }
  const written = Object.entries(attributes).map(([name, value]) =>
    value === undefined ? '' : ` ${name}="${escapeHtml(value)}"`,
  )
  return `<link rel="preload" as="image"${written.join('')} fetchpriority="high">`
}
