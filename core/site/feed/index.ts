import type { Comment, Content, Post } from '../../content/types.ts'
import type { Hooks } from '../../hooks/types.ts'
import { toLanguage } from '../language.ts'
import { plainText } from '../text.ts'
import type { PageContext } from '../types.ts'
import { commentHtml } from '../view/comments.ts'
import type { FindSurroundings } from '../view/surroundings.ts'
import { type Feed, type FeedItem, writeRss } from './rss.ts'

/** How many comments a feed of them holds. */
const COMMENTS = 10

/** Writes the feed of a page: its posts, or of a single post its comments. */
export function createFeed(parts: { content: Content; surroundings: FindSurroundings }) {
  const { content, surroundings } = parts

  async function postItem(post: Post, hooks: Pick<Hooks, 'applyFiltersAsync'>, find: Around): Promise<FeedItem> {
    const around = find(post.id)
    const link = content.link(post)
    const html = await content.renderContent(post)
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
          ? { link: `${link}#comments`, feed: `${link}feed/`, count: post.commentCount }
          : undefined,
    }
  }

  function commentItem(comment: Comment, post: Post): FeedItem {
    const link = content.link(post)
    const html = commentHtml(comment.content)
    return {
      title: `By: ${plainText(comment.authorName)}`,
      link: `${link}#comment-${comment.id}`,
      guid: `${link}#comment-${comment.id}`,
      creator: plainText(comment.authorName),
      dateGmt: comment.dateGmt,
      categories: [],
      summary: plainText(html),
      html,
    }
  }

  /** Newest comments of posts that everybody may read. */
  async function commentItems(posts: readonly Post[]): Promise<FeedItem[]> {
    const open = posts.filter((post) => post.password === '' && post.commentCount > 0)
    const lists = await Promise.all(
      open.map(async (post) => (await content.comments.ofPost(post.id)).map((comment) => ({ comment, post }))),
    )
    return lists
      .flat()
      .sort((a, b) => (a.comment.dateGmt < b.comment.dateGmt ? 1 : -1))
      .slice(0, COMMENTS)
      .map(({ comment, post }) => commentItem(comment, post))
  }

  return async (page: PageContext, hooks: Pick<Hooks, 'applyFiltersAsync'>): Promise<string> => {
    const settings = content.siteSettings()
    const site = plainText(settings.title)
    const items: FeedItem[] = []
    let updatedGmt: string | undefined
    if (page.kind === 'comments' || (page.post && page.kind !== 'home')) {
      items.push(...(await commentItems(page.posts)))
      updatedGmt = items[0]?.dateGmt
    } else {
      const find = await surroundings(page.posts.map((post) => post.id))
      for (const post of page.posts) items.push(await postItem(post, hooks, find))
      updatedGmt = page.posts
        .map((post) => post.modifiedGmt)
        .sort()
        .at(-1)
    }
    const feed: Feed = {
      title: page.kind === 'home' ? site : `${page.post ? 'Comments on: ' : ''}${page.title} – ${site}`,
      link: page.url.replace(/feed\/$/, ''),
      self: page.url,
      description: plainText(settings.description),
      language: toLanguage(settings.language),
      updatedGmt,
      items,
    }
    return writeRss(feed)
  }
}

type Around = Awaited<ReturnType<FindSurroundings>>
