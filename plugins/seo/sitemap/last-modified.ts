import type { Content } from 'pentad'

/** A date of a post, `YYYY-MM-DDTHH:MM:SS` or with a space, in the format of sitemaps. */
export function isoOf(gmt: string): string {
  return `${gmt.replace(' ', 'T')}Z`
}

/** The later of two dates, either of which may be unknown. */
export function newer(one: string | undefined, other: string | undefined): string | undefined {
  return one === undefined || (other !== undefined && other > one) ? other : one
}

/** Last modification of the newest public post of a post type, which is that of its archive. */
export async function newestOf(content: Pick<Content, 'posts'>, type: string): Promise<string | undefined> {
  const { items } = await content.posts.query({
    ...{ types: [type], orderBy: 'modified', limit: 1, noFoundRows: true },
    readableBy: null,
  })
  return items[0] && isoOf(items[0].modifiedGmt)
}
