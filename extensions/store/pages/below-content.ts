import type { ExtensionHost, PageContext, Post } from 'pentad'

/** After core's own steps: paragraphs, shortcodes, images. */
const AFTER_CONTENT = 20
/** Before whatever rearranges finished pages. */
const BEFORE_OTHERS = 1

/**
 * Adds HTML below the content of some posts, on their own page only. `the_content` does not know the page, and excerpts,
 * feeds and REST are made with it too: so it leaves an empty place, which is filled in once the page is finished.
 *
 * @param addition.render HTML as it is: escape what is not yours
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
