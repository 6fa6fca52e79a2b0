import { SaxesParser } from 'saxes'
import { createBackgroundYield } from '../../threads/yielding.ts'
import type { ExportFile } from './export-files.ts'
import { WxrError } from './wxr-error.ts'
import { createXmlRepair, FORBIDDEN, LONGEST_DECLARATION, MOST_BLANK } from './xml-text.ts'

/** An element with its contents. */
export interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly Element[]
  /** Its own text, without that of its children. */
  readonly text: string
  /** Line of the file where it starts. */
  readonly line: number
}

interface OpenElement {
  name: string
  attributes: Record<string, string>
  children: Element[]
  text: string[]
  line: number
}

/** One post with its comments is never larger than this, in bytes, … */
const LARGEST_ELEMENT = 64 * 1024 * 1024
/** … has at most this many elements: each takes far more memory than its four bytes in the file … */
const MOST_ELEMENTS = 1_000_000
/** … and is not nested more deeply. WordPress needs five levels. */
const DEEPEST = 32
/** Bytes in which an XML declaration ends. */
const DECLARATION = MOST_BLANK + LONGEST_DECLARATION

/**
 * Reads the elements right below `<channel>` one after another; never more than one of them is in memory. Document
 * type declarations are skipped, and the entities that they define are never resolved.
 * @param signal - Stops it, even in the middle of an element.
 * @throws WxrError with the line, after all elements before the error have been read
 */
export async function* readElements(
  file: Pick<ExportFile, 'read'>,
  signal?: AbortSignal,
): AsyncGenerator<{ element: Element; bytes: number }> {
  const { ready, push, end, line } = createElementParser()
  let decoder: InstanceType<typeof TextDecoder> | undefined
  let start = Buffer.alloc(0)
  let bytes = 0
  let sinceLast = 0
  // Yields, so that the site continues to respond during an import.
  const yieldTurn = createBackgroundYield()
  for await (const { chunk, position } of file.read()) {
    await yieldTurn()
    signal?.throwIfAborted()
    bytes = position
    sinceLast += chunk.length
    // Streams may begin with chunks of any length.
    if (decoder === undefined) start = Buffer.concat([start, chunk])
    if (decoder === undefined && start.length < DECLARATION) continue
    const text = decoder === undefined ? start : chunk
    decoder ??= new TextDecoder(encodingOf(start))
    push(decoder.decode(text, { stream: true }))
    for (const element of ready.splice(0)) {
      sinceLast = 0
      if (element instanceof WxrError) throw element
      yield { element, bytes }
    }
    if (sinceLast > LARGEST_ELEMENT) throw new WxrError('contains a post larger than 64 MB', line())
  }
  const isShort = decoder === undefined
  decoder ??= new TextDecoder(encodingOf(start))
  end(decoder.decode(isShort ? start : undefined))
  for (const element of ready) {
    if (element instanceof WxrError) throw element
    yield { element, bytes }
  }
}

function createElementParser() {
  const ready: (Element | WxrError)[] = []
  const stack: OpenElement[] = []
  const repair = createXmlRepair()
  const parser = new SaxesParser<{ xmlns: false; position: true }>({ xmlns: false, position: true })
  let failed = false
  /** Everything after the end of the export is ignored. */
  let ended = false
  let elements = 0
  let path = ''

  function fail(message: string): void {
    if (ended) return
    if (!failed) ready.push(new WxrError(message, parser.line))
    failed = true
  }

  parser.on('error', (error) => {
    // An undeclared entity is kept as text.
    if (error.message.includes('undefined entity')) return
    fail(`is not well-formed XML (${error.message.replace(/^.*?\d+:\d+: /, '').replace(/\.$/, '')})`)
  })
  parser.on('opentag', ({ name, attributes }) => {
    if (failed || ended) return
    if (path === '' && name !== 'rss') return fail(`is not a WordPress export (WXR): it begins with <${name}>`)
    if (stack.length >= DEEPEST) return fail(`nests elements more than ${DEEPEST} levels deep in a post`)
    if (++elements > MOST_ELEMENTS) return fail('contains a post with more than a million elements')
    path += `/${name}`
    if (stack.length > 0 || path.startsWith('/rss/channel/'))
      stack.push({ name, attributes, children: [], text: [], line: parser.line })
  })
  parser.on('closetag', ({ name }) => {
    if (failed || ended) return
    path = path.slice(0, path.length - name.length - 1)
    ended = path === ''
    const done = stack.pop()
    if (!done) return
    const element: Element = { ...done, text: done.text.join('') }
    const parent = stack.at(-1)
    if (parent) parent.children.push(element)
    else {
      ready.push(element)
      elements = 0
    }
  })
  const addText = (text: string) => {
    if (!failed) stack.at(-1)?.text.push(text)
  }
  parser.on('text', addText)
  parser.on('cdata', addText)

  return {
    ready,
    line: () => parser.line,
    push(text: string): void {
      if (!failed && !ended) parser.write(repair.write(text))
    },
    end(text: string): void {
      if (failed || ended) return
      parser.write(repair.write(text) + repair.end())
      if (!failed && path !== '') fail(`ends in the middle of <${path.slice(path.lastIndexOf('/') + 1)}>`)
      if (!failed) parser.close()
    },
  }
}

/** Whether a file begins as XML does after what the import skips: blanks, control characters, a byte order mark. */
export function beginsAsXml(start: Buffer): boolean {
  return new TextDecoder(encodingOf(start)).decode(start).replace(FORBIDDEN, '').trimStart().startsWith('<')
}

/** The encoding from the byte order mark or the XML declaration, if supported; otherwise UTF-8. */
function encodingOf(start: Buffer): string {
  if (start.length > 1 && start.readUInt16LE() === 0xfeff) return 'utf-16le'
  if (start.length > 1 && start.readUInt16BE() === 0xfeff) return 'utf-16be'
  const text = start.toString('latin1', 0, DECLARATION)
  const label = /^(?:\xef\xbb\xbf)?\s*<\?xml[^>]*encoding=["']([\w.-]+)["']/.exec(text)
  try {
    return new TextDecoder(label?.[1] ?? 'utf-8').encoding
  } catch (error) {
    if (error instanceof RangeError) return 'utf-8'
    throw error
  }
}

/**
 * Reads the elements of several files, one after the other; `bytes` counts on.
 * @throws WxrError with the file
 */
export async function* readExports(
  files: readonly ExportFile[],
  signal?: AbortSignal,
): AsyncGenerator<{ file: ExportFile; element: Element; bytes: number }> {
  let before = 0
  const yieldTurn = createBackgroundYield()
  for (const file of files) {
    try {
      for await (const { element, bytes } of readElements(file, signal)) {
        await yieldTurn()
        yield { file, element, bytes: before + bytes }
      }
    } catch (error) {
      if (error instanceof WxrError) error.file ||= file.name
      throw error
    }
    before += file.size
  }
}
