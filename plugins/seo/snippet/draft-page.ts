import { type ExtensionHost, type PageContext, type Post, plainText } from 'pentad'

/** The page context of a post that is being edited, for its head data. */
export function draftPage(
  { content, site }: Pick<ExtensionHost, 'content' | 'site'>,
  post: Post,
  signal: AbortSignal,
): PageContext {
  const { showOnFront, pageOnFront } = content.siteSettings()
  const isFront = showOnFront === 'page' && post.id === pageOnFront
  const single = content.postTypes().get(post.type)?.hierarchical ? 'page' : 'single'
  const path = post.path === '' ? '/' : post.path
  const request = { method: 'GET', path, query: new URLSearchParams(), headers: {}, address: '', id: '' }
  return {
    ...{ request, signal, user: null, kind: isFront ? 'front-page' : single, status: 200, url: site.url + path, path },
    title: plainText(content.renderTitle(post)),
    ...{ post, posts: [post], pageNumber: 1, pageLabel: '', totalPages: 1, total: 1 },
    ...{ term: undefined, postType: undefined, author: undefined, date: undefined, search: undefined },
    ...{
      feed: false,
      unsaved: undefined,
      preview: true,
      locked: post.password !== '',
      tags: new Set(),
      scriptNonce: '',
      responded: false,
    },
    addTags() {},
    redirect() {},
    respond() {},
  }
}
