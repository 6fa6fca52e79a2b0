import type { TestHost } from 'pentad/testing'
import { SaxesParser } from 'saxes'

/** A page as a map lists it. */
export interface MapEntry {
  readonly url: string
  readonly lastmod: string | undefined
  readonly images: readonly { readonly url: string; readonly title: string | undefined }[]
}

export interface ReadMap {
  readonly name: string
  readonly xml: string
  readonly entries: readonly MapEntry[]
}

/** The index of a site's sitemaps, by way of `robots.txt` as a search engine finds it, and all maps that it names. */
export async function readSitemaps(site: TestHost): Promise<{ index: ReadMap; maps: ReadMap[] }> {
  const robots = await (await site.get('/robots.txt')).text()
  const [, address = ''] = /^Sitemap: (\S+)$/m.exec(robots) ?? []
  const index = await readMap(site, address)
  const maps: ReadMap[] = []
  for (const { url } of index.entries) maps.push(await readMap(site, url))
  return { index, maps }
}

export async function readMap(site: TestHost, address: string): Promise<ReadMap> {
  const answer = await site.get(address)
  const xml = await answer.text()
  if (answer.status !== 200) throw new Error(`${address}: ${answer.status}`)
  return { name: new URL(address, site.url).pathname.slice(1), xml, entries: parseEntries(xml) }
}

function parseEntries(xml: string): MapEntry[] {
  const entries: { url: string; lastmod: string | undefined; images: { url: string; title: string | undefined }[] }[] =
    []
  let text = ''
  const parser = new SaxesParser({ xmlns: true })
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name }) => {
    text = ''
    if (name === 'url' || name === 'sitemap') entries.push({ url: '', lastmod: undefined, images: [] })
    if (name === 'image:image') entries.at(-1)?.images.push({ url: '', title: undefined })
  })
  parser.on('text', (part) => {
    text += part
  })
  parser.on('closetag', ({ name }) => {
    const entry = entries.at(-1)
    const image = entry?.images.at(-1)
    if (entry && name === 'loc') entry.url = text
    if (entry && name === 'lastmod') entry.lastmod = text
    if (image && name === 'image:loc') image.url = text
    if (image && name === 'image:title') image.title = text
  })
  parser.write(xml).close()
  return entries
}
