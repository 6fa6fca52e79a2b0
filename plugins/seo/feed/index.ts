import { type ExtensionHost, escapeHtml, type Post, plainText } from 'pentad'
import type { SeoSettings } from '../settings.ts'

/** Adds a line with a link to the original to each post in a feed (setting `rssSignature`). */
export function registerFeedSignature(
  { hooks, content, auth, site }: ExtensionHost,
  { settings }: { settings: () => SeoSettings },
): void {
  const link = (url: string, text: string) => `<a href="${escapeHtml(url)}">${escapeHtml(text)}</a>`

  /** HTML of each variable. */
  async function variable(name: string, post: Post): Promise<string | undefined> {
    switch (name) {
      case 'post_link':
        return link(content.link(post), plainText(content.renderTitle(post)) || content.link(post))
      case 'site_link':
        return link(`${site.url}/`, plainText(content.siteSettings().title) || site.url)
      case 'author':
        return escapeHtml((await auth.users.get(post.authorId))?.displayName ?? '')
      default:
        return undefined
    }
  }

  hooks.addFilter('the_content_feed', async (html, _type, post) => {
    const { rssSignature, rssSignatureText } = settings()
    if (rssSignature !== 'on' || rssSignatureText === '') return html
    // Every second part is the name of a variable.
    const parts = rssSignatureText.split(/%([a-z_]+)%/)
    const written = await Promise.all(
      parts.map(async (part, at) => {
        if (at % 2 === 0) return escapeHtml(part)
        return (await variable(part, post)) ?? escapeHtml(`%${part}%`)
      }),
    )
    return `${html}<p>${written.join('')}</p>\n`
  })
}
