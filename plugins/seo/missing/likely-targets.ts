import type { ExtensionHost } from 'pentad'

/** Endings of addresses that other systems had. */
const ENDING = /\.(?:html?|php\d?|aspx?|jsp)$/i
/** What WordPress puts behind a slug that is taken, and what pages of a list end in. */
const NUMBER = /-\d+$/

/** Where visitors of missing addresses probably wanted to go: paths of published posts with their slugs, by address. */
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

/** Slugs that the last segment of a path may stand for, the likeliest first; as they are stored. */
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
