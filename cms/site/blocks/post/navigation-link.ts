import { escapeHtml } from '../../../../core/http/escape-html.ts'
import { isSet, textAttribute } from '../../../content/blocks/attributes.ts'
import { wrapperAttributes } from '../../../content/blocks/supports.ts'
import { cleanPostHtml } from '../../../content/sanitize-post.ts'
import { currentPage } from '../../current-page.ts'
import { type BlockParts, type BlockRenderers, choiceClass, classNames, linkTo, reader, tagPage } from '../parts.ts'

/** `core/post-navigation-link`: the previous or next post. */
export function postNavigation({ content, texts }: BlockParts): BlockRenderers {
  return {
    async 'core/post-navigation-link'(attributes, _content, block) {
      const shown = currentPage()
      const type = textAttribute(attributes, 'type') || 'next'
      if (!shown?.post || shown.kind === 'home' || (type !== 'next' && type !== 'previous')) return ''
      const found =
        shown.post.type === 'attachment' ? undefined : (await content.posts.neighbors(shown.post, reader()))[type]
      tagPage(`single-${shown.post.id}`, ...(found ? [`post-${found.id}`] : []))
      const label = cleanPostHtml(textAttribute(attributes, 'label'))
      const names = classNames(
        `post-navigation-link-${type}`,
        choiceClass('has-text-align-', textAttribute(attributes, 'textAlign')),
      )
      const wrapper = wrapperAttributes(block, { class: names })
      if (!found) return `<div ${wrapper}></div>`
      const { __ } = await texts()
      const title = content.renderTitle(found) || escapeHtml(type === 'next' ? __('Next Post') : __('Previous Post'))
      const rel = type === 'next' ? 'next' : 'prev'
      const link = (html: string) => `<a href="${linkTo(content, found)}" rel="${rel}">${html}</a>`
      const named = (text: string) => `<span class="post-navigation-link__label">${text}</span>`
      const usual = escapeHtml(type === 'next' ? __('Next') : __('Previous'))
      if (!isSet(attributes, 'showTitle')) return `<div ${wrapper}>${link(label || usual)}</div>`
      if (!isSet(attributes, 'linkLabel')) {
        return `<div ${wrapper}>${label === '' ? '' : `${named(label)} `}${link(title)}</div>`
      }
      const whole = `${named(label || `${usual}:`)} <span class="post-navigation-link__title">${title}</span>`
      return `<div ${wrapper}>${link(whole)}</div>`
    },
  }
}
