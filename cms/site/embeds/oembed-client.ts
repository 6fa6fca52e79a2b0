import { SaxesParser } from 'saxes'
import { isJsonRecord } from '../../../core/options/json.ts'
import type { JsonValue } from '../../../core/options/types.ts'
import { fetchText } from './fetch-text.ts'
import type { EmbedSize, OembedResponse } from './types.ts'

const LARGEST_RESPONSE = 256 * 1024

/** The provider is temporarily unavailable. */
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable'
  /**
   * Whether other URLs would fail as well: the provider is unreachable or returned 429. A server error may be specific
   * to one URL, which an author could exploit.
   */
  readonly forAllUrls: boolean

  constructor(message: string, options: ErrorOptions & { readonly forAllUrls: boolean }) {
    super(message, options)
    this.forAllUrls = options.forAllUrls
  }
}

export interface OembedClient {
  /**
   * Requests the oEmbed data of a URL, as JSON or, if that is not supported (501), as XML.
   * @returns `undefined` if the provider has no data for the URL
   * @throws ProviderUnavailable if it is unreachable, returns 429 or a server error, or too large a response
   */
  fetch(endpoint: string, asked: EmbedSize & { readonly url: string }): Promise<OembedResponse | undefined>
}

export function createOembedClient(parts: {
  isTrusted: ((url: URL) => boolean) | undefined
  signal: AbortSignal
  /** WordPress's filter `oembed_fetch_url`. */
  filterUrl: (endpoint: string, url: string, size: EmbedSize) => string
}): OembedClient {
  const { isTrusted, signal, filterUrl } = parts

  async function fetchAs(format: 'json' | 'xml', address: string) {
    const url = new URL(address)
    url.searchParams.set('format', format)
    const request = { maxBytes: LARGEST_RESPONSE, truncate: false, allowsHttp: false, userAgent: 'Pentad' }
    const response = await fetchText(url.href, { ...request, isTrusted, signal }).catch((error: unknown) => {
      const message = error instanceof Error ? error.message : String(error)
      throw new ProviderUnavailable(message, { cause: error, forAllUrls: isOfConnection(error) })
    })
    const { status } = response
    if (status !== 501 && (status === 429 || status >= 500)) {
      const message = `${url.origin}${url.pathname} returned ${status}.`
      throw new ProviderUnavailable(message, { forAllUrls: status === 429 })
    }
    return response
  }

  return {
    async fetch(endpoint, { url, width, height }) {
      const address = new URL(endpoint.replace('{format}', 'json'))
      const parameters = { maxwidth: String(width), maxheight: String(height), url, dnt: '1' }
      for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value)
      const filtered = filterUrl(address.href, url, { width, height })
      const json = await fetchAs('json', filtered)
      if (json.status !== 501) return json.status === 200 ? readJson(json.text) : undefined
      const xml = await fetchAs('xml', filtered)
      return xml.status === 200 ? readXml(xml.text) : undefined
    },
  }
}

/** Whether the request failed or timed out: Node's errors have a code that differs from those of `fetchText`. */
function isOfConnection(error: unknown): boolean {
  return error instanceof Error && 'code' in error
}

function readJson(text: string): OembedResponse | undefined {
  try {
    const value: JsonValue = JSON.parse(text)
    return isJsonRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Texts of the child elements of the root. As in WordPress, documents with a type declaration are rejected. */
function readXml(text: string): OembedResponse | undefined {
  const fields: Record<string, string> = {}
  const parser = new SaxesParser()
  let depth = 0
  let name = ''
  parser.on('doctype', () => {
    throw new Error('The response declares a document type.')
  })
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', (tag) => {
    if (++depth !== 2) return
    name = tag.name
    fields[name] = ''
  })
  const add = (part: string) => {
    if (depth === 2) fields[name] += part
  }
  parser.on('text', add)
  parser.on('cdata', add)
  parser.on('closetag', () => {
    depth--
  })
  try {
    parser.write(text.trim()).close()
    return fields
  } catch {
    return undefined
  }
}
