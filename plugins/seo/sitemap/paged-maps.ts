import type { Maps, SitemapUrl } from './types.ts'

/** An item with a page, and its last modification. */
export interface Dated {
  readonly id: number
  readonly lastModified: string
}

/**
 * Sitemaps of items that can be loaded at once.
 * @param parts.memo reuses the URLs of all items; they take time in proportion to the site
 * @param parts.dated all items with content, in any order
 * @param parts.listed URLs of those that are indexable
 */
export function pagedMaps(parts: {
  dated: () => Promise<Dated[]>
  listed: (ids: readonly number[]) => Promise<Map<number, string>>
  mostUrls: number
  memo: (work: () => Promise<SitemapUrl[]>) => Promise<SitemapUrl[]>
}): Pick<Maps, 'list' | 'read'> {
  const { mostUrls } = parts

  const urls = () => parts.memo(readUrls)

  async function readUrls(): Promise<SitemapUrl[]> {
    const dated = (await parts.dated()).toSorted((one, other) => one.id - other.id)
    const addresses = await parts.listed(dated.map(({ id }) => id))
    return dated.flatMap(({ id, lastModified }) => {
      const url = addresses.get(id)
      return url === undefined ? [] : [{ url, lastModified }]
    })
  }

  const partOf = (all: readonly SitemapUrl[], number: number) => all.slice((number - 1) * mostUrls, number * mostUrls)

  return {
    async list() {
      const all = await urls()
      return Array.from({ length: Math.ceil(all.length / mostUrls) }, (_, at) => ({
        number: at + 1,
        lastModified: partOf(all, at + 1)
          .map(({ lastModified }) => lastModified ?? '')
          .toSorted()
          .at(-1),
      }))
    },
    read: async (number) => partOf(await urls(), number),
  }
}
