import type { Maps, SitemapUrl } from './types.ts'

/** Something with a page, and when that changed. */
export interface Dated {
  readonly id: number
  readonly lastModified: string
}

/**
 * Sitemaps of what is few enough to be listed as a whole.
 * @param parts.dated everything that shows something, in any order
 * @param parts.listed addresses of those of the ids that search engines may keep
 */
export function pagedMaps(parts: {
  dated: () => Promise<Dated[]>
  listed: (ids: readonly number[]) => Promise<Map<number, string>>
  mostUrls: number
}): Pick<Maps, 'list' | 'read'> {
  const { mostUrls } = parts

  async function urls(): Promise<SitemapUrl[]> {
    const dated = (await parts.dated()).sort((one, other) => one.id - other.id)
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
