import type { Page } from 'playwright-core'
import { z } from 'zod'
import { minifyJs } from '../../plugins/speed/optimize/js/js-code.ts'

const textShape = z.strictObject({ text: z.string() })

interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly (Element | z.output<typeof textShape>)[]
}
const elementShape: z.ZodType<Element> = z.lazy(() =>
  z.strictObject({
    name: z.string(),
    attributes: z.record(z.string(), z.string()),
    children: z.array(z.union([textShape, elementShape])),
  }),
)

/** Whitespace in these elements is significant. */
const EXACT = new Set(['pre', 'textarea', 'code', 'script', 'style', 'svg', 'math', 'iframe', 'noscript', 'template'])
/** Whitespace between the children of these is never rendered. */
const NO_TEXT = new Set(['table', 'thead', 'tbody', 'tfoot', 'tr', 'colgroup', 'select', 'optgroup', 'datalist'])
/** Attributes that the optimizer adds. */
const OF_LOADING = new Set(['loading', 'decoding', 'fetchpriority', 'defer'])
const OF_SIZE = new Set(['width', 'height', 'data-sized'])
const OPTIMIZED_FILE = /^\/wp-content\/uploads\/speed\/assets\/(.+)-[0-9a-f]{16}(\.\w+)$/

/**
 * A page as a browser parses it, one line for each element and text, without what the optimizer may change: comments, superfluous whitespace,
 * the spelling of scripts, style sheets (their effect is compared separately), and how and when files are loaded.
 * @param isMinified whether its scripts are minified; otherwise they are minified here
 */
export async function documentOf(page: Page, html: string, isMinified: boolean): Promise<string[]> {
  const parsed = await page.evaluate(
    `(() => {
      const read = (element) => ({
        name: element.localName,
        attributes: Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value])),
        children: [...(element.localName === 'template' ? element.content : element).childNodes].flatMap((child) =>
          child.nodeType === Node.TEXT_NODE ? [{ text: child.data }] : child.nodeType === Node.ELEMENT_NODE ? [read(child)] : [],
        ),
      })
      return read(new DOMParser().parseFromString(${JSON.stringify(html)}, 'text/html').documentElement)
    })()`,
  )
  const lines: string[] = []
  await write(elementShape.parse(parsed), '', false)
  return lines

  async function write(element: Element, indent: string, isInExact: boolean): Promise<void> {
    const { name, attributes } = element
    if (isAdded(element)) return
    const isExact = isInExact || EXACT.has(name)
    // Added for the formats of an image.
    const isFrame = name === 'picture' && attributes.style === 'display:contents'
    const inner = isFrame ? indent : `${indent}  `
    if (!isFrame) lines.push(`${indent}<${name}${attributesOf(element)}>`)
    let text = ''
    const writeText = () => {
      const short = isExact ? text : text.replaceAll(/[ \t\n\f\r]+/g, ' ')
      text = ''
      if (short === '' || (short === ' ' && NO_TEXT.has(name))) return
      lines.push(inner + JSON.stringify(short))
    }
    if (name === 'script') {
      lines.push(inner + (await codeOf(element, isMinified)))
      return
    }
    for (const child of element.children) {
      if ('text' in child) text += child.text
      // The text around a removed element is one text.
      else if (!isAdded(child)) {
        writeText()
        await write(child, inner, isExact)
      }
    }
    writeText()
  }
}

/** Whether the optimizer may add, replace, or move it. */
function isAdded({ name, attributes }: Element): boolean {
  const { rel = '', type = '', src = '' } = attributes
  if (name === 'style' || (name === 'link' && /stylesheet|preload/.test(rel))) return true
  if (name === 'source') return type === 'image/webp'
  return name === 'script' && (type === 'speculationrules' || src.startsWith('/wp-content/uploads/speed/scripts/'))
}

function attributesOf({ attributes }: Element): string {
  const isSized = 'data-sized' in attributes
  return Object.entries(attributes)
    .filter(([name]) => !OF_LOADING.has(name) && !(isSized && OF_SIZE.has(name)))
    .map(([name, value]) => ` ${name}=${JSON.stringify(name === 'src' ? fileOf(value) : value)}`)
    .sort()
    .join('')
}

/** An optimized copy has the name of its source. */
function fileOf(address: string): string {
  const [, name, extension] = OPTIMIZED_FILE.exec(address) ?? []
  if (name !== undefined) return `${name}${extension}`
  return address.startsWith('/wp-content/') ? (/([^/?]+)(?:\?|$)/.exec(address)?.[1] ?? address) : address
}

/** Minified code, if it is a script; names of variables are others when it is minified again. */
async function codeOf({ attributes, children }: Element, isMinified: boolean): Promise<string> {
  const code = children.map((child) => ('text' in child ? child.text : '')).join('')
  const { type = '' } = attributes
  if (isMinified || !/^(?:|module|(?:text|application)\/(?:x-)?(?:java|ecma)script)$/i.test(type)) return code
  return (await minifyJs(code, type === 'module' ? 'module' : 'classic')) ?? code
}
