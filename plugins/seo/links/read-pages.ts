import { setImmediate } from 'node:timers/promises'
import { type ExtensionHost, loadLanguages, type Meta, type Post, plainText, termWeights } from 'pentad'
import type { Indexable } from '../indexable.ts'
import { readPageText } from '../text/page-text.ts'
import { idAddress, linkAddress, toAddress } from './addresses.ts'
import type { LinkPage } from './link-index.ts'
import { MOST_IN_MENU } from './navigation.ts'

/** Number of links parsed before yielding to the event loop. */
const LINKS_IN_A_ROW = 2000

const NOTHING: Pick<PostText, 'links' | 'terms'> = { links: new Set(), terms: () => new Map() }

/** Reads the index data of posts, by ID, as visitors see them. */
export interface ReadPages {
  /** Published posts. */
  pages(posts: readonly Post[]): Promise<LinkPage[]>
  /** Any post, whether it is public or not. */
  text(post: Post): Promise<PostText>
}

/** Content and links of a post. */
export interface PostText {
  readonly links: ReadonlySet<string>
  /** Texts that can contain anchor texts. */
  readonly linkable: readonly string[]
  /** Extracts the keywords. */
  terms(): Map<string, number>
}

export function createReadPages(
  { asVisitor, content, log, site }: Pick<ExtensionHost, 'asVisitor' | 'content' | 'log' | 'site'>,
  indexable: Indexable,
): ReadPages {
  /** Rendered as for visitors, so that shortcodes and URLs of a previous domain are resolved. */
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

  /** The theme lists child pages on each page. */
  async function linksBelow({ type, id }: Post): Promise<string[]> {
    if (type !== 'page') return []
    const below = { types: ['page'], parents: [id], orderBy: 'menu_order', order: 'asc', limit: MOST_IN_MENU } as const
    const { items } = await content.posts.query(below)
    return items.map((page) => idAddress(page.id))
  }

  return {
    text,
    async pages(posts) {
      const meta = await content.meta.of(
        'post',
        posts.map(({ id }) => id),
      )
      const shown = new Set((await indexable.posts(posts, meta)).map(({ id }) => id))
      const pages: LinkPage[] = []
      for (const post of posts) {
        const isIndexable = shown.has(post.id)
        // The user who saves a post may see more of it than visitors do.
        const { links, terms } = isIndexable ? await asVisitor(() => text(post)) : NOTHING
        const addresses = [idAddress(post.id), toAddress(post.path) ?? ''].filter((one) => one !== '' && one !== '/')
        const below = isIndexable ? await linksBelow(post) : []
        pages.push({
          ...{ post, isIndexable, addresses, formerAddresses: formerAddresses(post, meta.get(post.id)) },
          ...{ links: new Set([...links, ...below]), terms: terms() },
        })
        // Yields to the event loop: SQLite runs queries synchronously.
        await setImmediate()
      }
      return pages
    },
  }
}

/** Previous slugs of the post, which redirect to it (`_wp_old_slug` in WordPress). */
function formerAddresses({ path }: Post, meta: Meta = {}): string[] {
  const slugs = (meta._wp_old_slug ?? []).filter((slug) => typeof slug === 'string')
  const paths = slugs.map((slug) => path.replace(/[^/]+\/$/, `${slug}/`))
  return [...new Set(paths.flatMap((former) => toAddress(former) ?? []))].filter((one) => one !== '/')
}
