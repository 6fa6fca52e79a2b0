import type { ExtensionHost, PageContext, Post } from 'pentad'

/** After the default steps: paragraphs, shortcodes, images. */
const AFTER_CONTENT = 20
/** Before filters that rewrite the finished page. */
const BEFORE_OTHERS = 1

/**
 * Adds HTML below the content of a post, on its own page only. `the_content` does not know the page, and also runs for
 * excerpts, feeds and REST: it leaves a placeholder that is replaced in the finished page.
 * @param addition.render HTML; escape untrusted values
 */
export function addBelowContent(
  { addFilter }: Pick<ExtensionHost['hooks'], 'addFilter'>,
  addition: {
    readonly className: string
    isFor(post: Post): boolean
    render(page: PageContext, post: Post): Promise<string>
  },
): void {
  const { className, isFor, render } = addition
  const place = `<div class="${className}"></div>`

  addFilter('the_content', (html, post) => (isFor(post) ? `${html}\n${place}` : html), AFTER_CONTENT)

  addFilter(
    'page_html',
    async (html, page) => {
      const { post } = page
      if (!post || !isFor(post) || !html.includes(place)) return html
      const added = await render(page, post)
      return html.replace(place, () => `<div class="${className}">${added}</div>`)
    },
    BEFORE_OTHERS,
  )
}
