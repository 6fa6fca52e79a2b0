import { SaxesParser, type SaxesTagNS } from 'saxes'
import { escapeHtml } from '../../../core/http/escape-html.ts'
import type { Dimensions } from './dimensions.ts'
import { fileRejected } from './errors.ts'

const SVG = 'http://www.w3.org/2000/svg'
const XLINK = 'http://www.w3.org/1999/xlink'

/** Drawing elements only: no scripts, links, animations (which can set a link), foreign content or media. */
const ELEMENTS: ReadonlySet<string> = new Set(
  `svg g defs symbol use title desc path rect circle ellipse line polyline polygon text tspan textPath image style
  linearGradient radialGradient stop clipPath mask pattern marker switch view filter feBlend feColorMatrix
  feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow
  feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge feMergeNode feMorphology feOffset fePointLight
  feSpecularLighting feSpotLight feTile feTurbulence`.split(/\s+/),
)

/** A picture inside a drawing. */
const DATA_IMAGE = /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]*$/
const LARGEST = 2 * 1024 * 1024

export interface SafeSvg extends Partial<Dimensions> {
  readonly bytes: Buffer
}

/**
 * Rewrites an SVG with allowed elements only: shapes, text, gradients, filters and internal references; no scripts, event handlers,
 * external URLs or entities. Forbidden elements are removed with their content.
 * @throws RestError `damaged` for invalid XML, `unsafe` for a document type, which can define entities
 */
export function sanitizeSvg(source: Buffer): SafeSvg {
  if (source.length > LARGEST) throw fileRejected('unsafe', 'An SVG file must not be larger than 2 MB.')
  const written: string[] = []
  const size: { width?: number; height?: number } = {}
  /** Number of open elements that are removed. */
  let hidden = 0
  let depth = 0
  let style: string[] | undefined

  const parser = new SaxesParser({ xmlns: true })
  const write = (text: string) => {
    if (hidden === 0) written.push(text)
  }
  parser.on('error', (error) => {
    throw fileRejected('damaged', `The SVG file is not well-formed: ${error.message}`)
  })
  parser.on('doctype', () => {
    throw fileRejected('unsafe', 'An SVG file must not have a document type declaration.')
  })
  parser.on('opentag', (tag) => {
    if (depth++ > 500) throw fileRejected('unsafe', 'The SVG file is nested too deeply.')
    if (hidden > 0 || style || tag.uri !== SVG || !ELEMENTS.has(tag.local)) {
      hidden++
      return
    }
    if (written.length === 0) Object.assign(size, sizeOf(tag))
    const root = written.length === 0 ? ` xmlns="${SVG}" xmlns:xlink="${XLINK}"` : ''
    if (tag.local === 'style') style = []
    write(`<${tag.local}${root}${attributes(tag)}>`)
  })
  parser.on('closetag', (tag) => {
    depth--
    if (hidden > 0) {
      hidden--
      return
    }
    if (style) write(escapeHtml(safeCss(style.join('')) ?? ''))
    style = undefined
    write(`</${tag.local}>`)
  })
  const text = (content: string) => {
    if (hidden > 0) return
    if (style) style.push(content)
    else if (depth > 0) write(escapeHtml(content))
  }
  parser.on('text', text)
  parser.on('cdata', text)
  parser.write(source.toString('utf8').replace(/^\ufeff/, '')).close()
  if (written.length === 0) throw fileRejected('damaged', 'The file contains no SVG drawing.')
  return { bytes: Buffer.from(written.join('')), ...size }
}

function attributes(tag: SaxesTagNS): string {
  let text = ''
  for (const { local, uri, prefix, value } of Object.values(tag.attributes)) {
    const isLink = local === 'href' && (uri === XLINK || uri === '')
    if (isLink ? !isOwnLink(tag.local, value) : !isSafe(local, uri, prefix, value)) continue
    text += ` ${uri === XLINK ? 'xlink:' : ''}${prefix === 'xml' ? 'xml:' : ''}${local}="${escapeHtml(value)}"`
  }
  return text
}

/** References within the drawing; a picture may also be embedded as data. */
function isOwnLink(element: string, value: string): boolean {
  return /^\s*#[^\s]*$/.test(value) || (element === 'image' && DATA_IMAGE.test(value.trim()))
}

function isSafe(local: string, uri: string, prefix: string, value: string): boolean {
  if (prefix === 'xml') return local === 'space' || local === 'lang'
  if (uri !== '' || prefix === 'xmlns' || !/^[a-zA-Z][\w-]*$/.test(local)) return false
  if (/^on/i.test(local) || local === 'xmlns' || /^(?:href|src|action|formaction|ping)$/i.test(local)) return false
  return safeCss(value) !== undefined
}

/** CSS without external references; `undefined` for other CSS. Escapes are rejected, because they could conceal one. */
function safeCss(css: string): string | undefined {
  if (/[\\@]|expression|javascript:|data:|-moz-binding|behavior/i.test(css)) return undefined
  const others = css.replace(/url\(\s*(["']?)#[\w.:-]*\1\s*\)/gi, '')
  return /url\s*\(|image\s*\(|image-set|src\s*\(/i.test(others) ? undefined : css
}

function sizeOf({ attributes: { width, height, viewBox } }: SaxesTagNS): Partial<Dimensions> {
  const box = viewBox?.value
    .trim()
    .split(/[\s,]+/)
    .map(Number)
  const read = (text: string | undefined, side: number | undefined) => {
    const own = /^\s*(\d+(?:\.\d+)?)(?:px)?\s*$/.exec(text ?? '')?.[1]
    const pixels = Math.round(own === undefined ? (side ?? 0) : Number(own))
    return pixels > 0 && pixels < 100_000 ? pixels : undefined
  }
  const [wide, high] = [read(width?.value, box?.[2]), read(height?.value, box?.[3])]
  return wide !== undefined && high !== undefined ? { width: wide, height: high } : {}
}
