import type { Content } from 'pentad'

/** A moment of a post, `YYYY-MM-DDTHH:MM:SS` or with a blank, as maps say it. */
export function isoOf(gmt: string): string {
  return `${gmt.replace(' ', 'T')}Z`
}

/** The later of two moments, either of which may be unknown. */
export function newer(one: string | undefined, other: string | undefined): string | undefined {
  return one === undefined || (other !== undefined && other > one) ? other : one
}

/** When the newest public post of a type changed: what a list of them shows changed then. */
export async function newestOf(content: Pick<Content, 'posts'>, type: string): Promise<string | undefined> {
  const { items } = await content.posts.query({
    ...{ types: [type], orderBy: 'modified', limit: 1, noFoundRows: true },
    readableBy: null,
  })
  return items[0] && isoOf(items[0].modifiedGmt)
}
