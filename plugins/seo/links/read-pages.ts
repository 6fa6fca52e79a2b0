import { setImmediate } from 'node:timers/promises'
import { type ExtensionHost, loadLanguages, type Meta, type Post, plainText, termWeights } from 'pentad'
import type { Indexable } from '../indexable.ts'
import { readPageText } from '../text/page-text.ts'
import { idAddress, linkAddress, toAddress } from './addresses.ts'
import type { LinkPage } from './link-index.ts'
import { MOST_IN_MENU } from './navigation.ts'

/** Links that are read before the event loop takes a turn. */
const LINKS_IN_A_ROW = 2000

const NOTHING: Pick<PostText, 'links' | 'terms'> = { links: new Set(), terms: () => new Map() }

/** What there is to know of posts, by their ids and by what visitors get to see of them. */
export interface ReadPages {
  /** Published posts. */
  pages(posts: readonly Post[]): Promise<LinkPage[]>
  /** Any post, whether anybody may see it or not. */
  text(post: Post): Promise<PostText>
}

/** What a post says and links to. */
export interface PostText {
  readonly links: ReadonlySet<string>
  /** Texts that a link could be put around. */
  readonly linkable: readonly string[]
  /** Works out what it is about. */
  terms(): Map<string, number>
}

export function createReadPages(
  { asVisitor, content, log, site }: Pick<ExtensionHost, 'asVisitor' | 'content' | 'log' | 'site'>,
  indexable: Indexable,
): ReadPages {
  /** As visitors get it, so that shortcodes and addresses of a former domain are what they will be. */
  async function htmlOf(post: Post): Promise<string> {
    try {
      return await content.renderContent(post)
    } catch (error) {
      log.warn({ err: error, post: post.id }, 'post not rendered, links read from stored content')
      return post.content
    }
  }

  async function text(post: Post): Promise<PostText> {
    const [html, tellLanguage] = await Promise.all([htmlOf(post), loadLanguages()])
    const { links, linkable, ...page } = await readPageText(html)
    const from = content.link(post)
    return {
      links: await linkAddresses(new Set(links), from),
      linkable,
      terms() {
        const language = tellLanguage(page.text, content.siteSettings().language)
        return termWeights({ ...page, title: plainText(content.renderTitle(post)) }, language)
      },
    }
  }

  async function linkAddresses(hrefs: ReadonlySet<string>, from: string): Promise<Set<string>> {
    const addresses = new Set<string>()
    let read = 0
    for (const href of hrefs) {
      if (++read % LINKS_IN_A_ROW === 0) await setImmediate()
      const address = linkAddress(href, from, site.url)
      if (address !== undefined) addresses.add(address)
    }
    return addresses
  }

  /** The theme lists on each page those below it. */
  async function linksBelow({ type, id }: Post): Promise<string[]> {
    if (type !== 'page') return []
    const below = { types: ['page'], parents: [id], orderBy: 'menu_order', order: 'asc', limit: MOST_IN_MENU } as const
    const { items } = await content.posts.query(below)
    return items.map((page) => idAddress(page.id))
  }

  return {
    text,
    async pages(posts) {
      const shown = new Set((await indexable.posts(posts)).map(({ id }) => id))
      const meta = await content.meta.of(
        'post',
        posts.map(({ id }) => id),
      )
      const pages: LinkPage[] = []
      for (const post of posts) {
        const isIndexable = shown.has(post.id)
        // Whoever saves a post may read more of it than those who find it.
        const { links, terms } = isIndexable ? await asVisitor(() => text(post)) : NOTHING
        const addresses = [idAddress(post.id), toAddress(post.path) ?? ''].filter((one) => one !== '' && one !== '/')
        const below = isIndexable ? await linksBelow(post) : []
        pages.push({
          ...{ post, isIndexable, addresses, formerAddresses: formerAddresses(post, meta.get(post.id)) },
          ...{ links: new Set([...links, ...below]), terms: terms() },
        })
        // Whoever waits for the site comes in between: a database in a file answers at once.
        await setImmediate()
      }
      return pages
    },
  }
}

/** Where the site redirects from: slugs that the post had before (WordPress's `_wp_old_slug`). */
function formerAddresses({ path }: Post, meta: Meta = {}): string[] {
  const slugs = (meta._wp_old_slug ?? []).filter((slug) => typeof slug === 'string')
  const paths = slugs.map((slug) => path.replace(/[^/]+\/$/, `${slug}/`))
  return [...new Set(paths.flatMap((former) => toAddress(former) ?? []))].filter((one) => one !== '/')
}
