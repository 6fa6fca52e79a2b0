import type { ExtensionHost } from 'pentad'

/** File extensions in URLs of other systems. */
const ENDING = /\.(?:html?|php\d?|aspx?|jsp)$/i
/** Suffixes that WordPress adds to slugs that are taken, and of later pages of a list. */
const NUMBER = /-\d+$/

/** Suggested redirect targets: paths of published posts with a similar slug, by URL. */
export async function likelyTargets(
  { content }: Pick<ExtensionHost, 'content'>,
  urls: readonly string[],
): Promise<Map<string, string>> {
  const candidates = new Map(urls.map((url) => [url, slugsOf(url)]))
  const slugs = [...new Set([...candidates.values()].flat())]
  if (slugs.length === 0) return new Map()
  const types = [...content.postTypes().values()].filter((type) => type.public && type.name !== 'attachment')
  const { items } = await content.posts.query({
    types: types.map(({ name }) => name),
    slugs,
    readableBy: null,
    limit: slugs.length,
    noFoundRows: true,
  })
  const paths = new Map(items.map((post) => [post.slug, pathOf(content.link(post))]))
  return new Map(
    [...candidates].flatMap(([url, own]) => {
      const found = own.map((slug) => paths.get(slug)).find((path) => path !== undefined && path !== url)
      return found === undefined ? [] : [[url, found] as const]
    }),
  )
}

/** Slugs that the last path segment may stand for, most likely first, as stored. */
function slugsOf(url: string): string[] {
  const last =
    url
      .replace(/[?#].*$/, '')
      .replace(/\/+$/, '')
      .split('/')
      .at(-1) ?? ''
  const slug = last.replace(ENDING, '').toLowerCase().replaceAll('_', '-')
  const slugs = [slug, slug.replace(NUMBER, '')].filter((text) => text !== '' && text.length <= 200)
  return [...new Set(slugs)]
}

const pathOf = (link: string) => new URL(link).pathname
