import type { ExtensionHost } from 'pentad'
import { replaceCssUrls } from '../css/css-urls.ts'
import type { HtmlDocument, HtmlElement } from '../html/document.ts'
import { formatSrcset, parseSrcset } from '../images/srcset.ts'
import type { Transform } from '../transform.ts'

/** Attributes with file URLs, by element. Links and frames point to pages and are not changed. */
const ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  img: ['src', 'srcset'],
  source: ['src', 'srcset'],
  video: ['src', 'poster'],
  audio: ['src'],
  input: ['src'],
  script: ['src'],
  link: ['href', 'imagesrcset'],
}
const LISTS = ['srcset', 'imagesrcset']
const LINKED = /(?:^|\s)(?:stylesheet|preload|icon|apple-touch-icon|mask-icon)(?:\s|$)/i
/** Browsers only accept workers from the site's own origin, including the scripts that start them. */
const WORKERS = /^\/wp-content\/uploads\/(?:speed\/scripts|pwa)\/|service-?worker|\/sw\.js$/i

/**
 * Rewrites URLs of files (`/wp-content/…`) to a CDN that serves the same files. Pages, module scripts and other
 * resources that browsers reject from another host are not changed. Fonts require the CDN to forward
 * `Access-Control-Allow-Origin`.
 */
export function createCdn(host: ExtensionHost): Transform {
  return {
    name: 'cdnUrl',
    isOn: ({ cdnUrl }) => cdnUrl !== '',
    run(document, work) {
      const site = new URL(host.site.url).host

      function moved(address: string): string | undefined {
        const url = work.resolve(address)
        if (!url || url.host !== site || !/^https?:$/.test(url.protocol)) return undefined
        if (!url.pathname.startsWith('/wp-content/') || WORKERS.test(url.pathname)) return undefined
        return work.isExcluded(address) ? undefined : work.settings.cdnUrl + url.pathname + url.search + url.hash
      }

      for (const element of document.all(...Object.keys(ATTRIBUTES))) {
        if (canMove(element)) moveAttributes(document, element, moved)
      }
      for (const element of document.elements) {
        const style = element.isProtected ? undefined : element.attributes.get('style')
        if (style?.includes('url(')) document.setAttributes(element, { style: replaceCssUrls(style, moved) })
      }
      for (const element of document.all('style')) {
        const css = document.content(element)
        const other = replaceCssUrls(css, moved)
        if (other !== css) document.setContent(element, other)
      }
    },
  }
}

function canMove({ name, attributes }: HtmlElement): boolean {
  const type = attributes.get('type')?.toLowerCase()
  if (name === 'script') return type !== 'module'
  if (name === 'input') return type === 'image'
  return name !== 'link' || LINKED.test(attributes.get('rel') ?? '')
}

function moveAttributes(
  document: HtmlDocument,
  element: HtmlElement,
  moved: (address: string) => string | undefined,
): void {
  for (const name of ATTRIBUTES[element.name] ?? []) {
    const value = element.attributes.get(name)
    if (!value) continue
    const other = LISTS.includes(name) ? movedList(value, moved) : moved(value)
    if (other === undefined) continue
    document.setAttributes(element, { [name]: other })
    // Fonts are requested anonymously; a preload must match that.
    const isFont = element.attributes.get('as')?.toLowerCase() === 'font'
    if (isFont && !element.attributes.has('crossorigin')) document.setAttributes(element, { crossorigin: '' })
  }
}

function movedList(srcset: string, moved: (address: string) => string | undefined): string | undefined {
  const candidates = parseSrcset(srcset).map(({ url, descriptor }) => ({ url, other: moved(url), descriptor }))
  if (candidates.every(({ other }) => other === undefined)) return undefined
  return formatSrcset(candidates.map(({ url, other, descriptor }) => ({ url: other ?? url, descriptor })))
}
