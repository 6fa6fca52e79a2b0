import type { Hooks } from '../../../core/hooks/types.ts'
import { feedPath } from '../../content/permalinks/path.ts'
import type { Comment, Content, Post } from '../../content/types.ts'
import { toLanguage } from '../../text/language.ts'
import { plainText } from '../../text/plain-text.ts'
import { inLoop } from '../current-page.ts'
import { attachmentTags } from '../page/tags.ts'
import type { PageContext } from '../types.ts'
import type { FindRelatedData } from '../view/related-data.ts'
import { type Feed, type FeedItem, writeRss } from './rss.ts'

/** Maximum number of comments in a feed. */
const COMMENTS = 10

/** Writes the feed of a page: its posts, or the comments of a single post. */
export function createFeed(parts: { content: Content; relatedData: FindRelatedData }) {
  const { content, relatedData } = parts

  async function postItem(
    post: Post,
    page: PageContext,
    hooks: Pick<Hooks, 'applyFiltersAsync'>,
    find: Around,
  ): Promise<FeedItem> {
    const around = find(post.id)
    const link = content.link(post)
    const html = await content.renderContent(post)
    page.addTags(...around.pageTags, ...attachmentTags(post.content, html))
    return {
      title: plainText(content.renderTitle(post)),
      link,
      guid: post.guid || link,
      creator: around.author?.displayName ?? '',
      dateGmt: post.dateGmt,
      categories: [...(around.terms.category ?? []), ...(around.terms.post_tag ?? [])].map(({ name }) =>
        plainText(name),
      ),
      summary: await content.renderExcerpt(post),
      html: await hooks.applyFiltersAsync('the_content_feed', html, 'rss2', post),
      comments:
        post.commentStatus === 'open' || post.commentCount > 0
          ? { link: `${link}#comments`, feed: feedPath(link), count: post.commentCount }
          : undefined,
    }
  }

  /** @param named whether the title names the post, as in feeds with several posts */
  function commentItem(comment: Comment, post: Post, named: boolean): FeedItem {
    const link = content.link(post)
    const html = content.renderComment(comment)
    const author = plainText(comment.authorName)
    return {
      title: named ? `Comment on ${plainText(content.renderTitle(post))} by ${author}` : `By: ${author}`,
      link: `${link}#comment-${comment.id}`,
      guid: `${link}#comment-${comment.id}`,
      creator: author,
      dateGmt: comment.dateGmt,
      categories: [],
      summary: plainText(html),
      html,
    }
  }

  /** Latest comments of one post; feed readers cannot enter a password. */
  async function commentsOf(post: Post): Promise<FeedItem[]> {
    if (post.password !== '' || post.commentCount === 0) return []
    const { items } = await content.comments.query({
      statuses: ['approved'],
      posts: [post.id],
      limit: COMMENTS,
      noFoundRows: true,
    })
    return items.map((comment) => commentItem(comment, post, false))
  }

  /** Latest comments on all public posts and pages. */
  async function commentsOfSite(page: PageContext): Promise<FeedItem[]> {
    const readableBy = page.user
    const postTypes = [...content.postTypes().values()].filter((type) => type.public).map((type) => type.name)
    const query = {
      statuses: ['approved'],
      ofPublishedPosts: true,
      readableBy,
      postTypes,
      limit: COMMENTS,
      noFoundRows: true,
    }
    const { items } = await content.comments.query(query)
    const posts = await content.posts.getMany([...new Set(items.map((comment) => comment.postId))])
    page.addTags(...[...posts.keys()].map((id) => `post-${id}`))
    return items.flatMap((comment) => {
      const post = posts.get(comment.postId)
      return post ? [commentItem(comment, post, true)] : []
    })
  }

  function titleOf(page: PageContext, site: string): string {
    if (page.kind === 'home') return site
    if (page.kind === 'comments') return `Comments for ${site}`
    return `${page.post ? 'Comments on: ' : ''}${page.title} – ${site}`
  }

  return async (page: PageContext, hooks: Pick<Hooks, 'applyFiltersAsync'>): Promise<string> => {
    const settings = content.siteSettings()
    const site = plainText(content.texturize(settings.title))
    const items: FeedItem[] = []
    let updatedGmt: string | undefined
    if (page.kind === 'comments' || (page.post && page.kind !== 'home')) {
      items.push(...(page.post ? await commentsOf(page.post) : await commentsOfSite(page)))
      updatedGmt = items[0]?.dateGmt
    } else {
      const find = await relatedData(page.posts.map((post) => post.id))
      for (const post of page.posts) items.push(await inLoop(post, () => postItem(post, page, hooks, find)))
      updatedGmt = page.posts
        .map((post) => post.modifiedGmt)
        .sort()
        .at(-1)
    }
    // The search phrase is in the path or in the query string.
    const search = page.path === '/feed/' && page.search ? `?s=${encodeURIComponent(page.search)}` : ''
    const feed: Feed = {
      title: titleOf(page, site),
      // The feed of all comments has no page of its own.
      link:
        page.post && page.kind !== 'home'
          ? content.link(page.post)
          : page.url.replace(page.kind === 'comments' ? /comments\/feed\/$/ : /feed\/$/, '') + search,
      self: page.url + search,
      description: plainText(settings.description),
      language: toLanguage(settings.language),
      updatedGmt,
      items,
    }
    return writeRss(feed)
  }
}

type Around = Awaited<ReturnType<FindRelatedData>>
