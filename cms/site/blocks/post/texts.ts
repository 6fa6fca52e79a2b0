import { escapeHtml } from '../../../../core/http/escape-html.ts'
import { isSet, numberAttribute, textAttribute } from '../../../content/blocks/attributes.ts'
import type { BlockAttributes } from '../../../content/blocks/parser.ts'
import { wrapperAttributes } from '../../../content/blocks/supports.ts'
import { cleanPostHtml } from '../../../content/sanitize-post.ts'
import { formatDate } from '../../theme/date-format.ts'
import {
  around,
  type BlockParts,
  type BlockRenderers,
  choiceClass,
  classNames,
  isClosed,
  linkTo,
  tagPage,
} from '../parts.ts'

const aligned = (attributes: BlockAttributes) => choiceClass('has-text-align-', textAttribute(attributes, 'textAlign'))

/** Heading element for levels 1 to 6; a paragraph for 0. */
export function headingTag(attributes: BlockAttributes, fallback: number): string {
  const level = numberAttribute(attributes, 'level', { max: 6, fallback })
  return level === 0 ? 'p' : `h${level}`
}

/** Link attributes from the editor. */
export function linkTarget(attributes: BlockAttributes): string {
  return `target="${escapeHtml(textAttribute(attributes, 'linkTarget') || '_self')}"`
}

/** A formatted date; formats may contain markup: `\\<\\b\\>Y`. */
export function dateHtml(date: string): string {
  return date.includes('<') ? cleanPostHtml(date) : escapeHtml(date)
}

/** `core/post-title`, `core/post-date`, `core/post-excerpt`, `core/post-terms`, `core/read-more`, `core/post-comments-count`. */
export function postTexts(parts: BlockParts): BlockRenderers {
  const { content, texts } = parts
  return {
    'core/post-title'(attributes, _content, block) {
      const title = content.renderTitle(block.post)
      if (title === '') return ''
      tagPage(`post-${block.post.id}`)
      const tag = headingTag(attributes, 2)
      const rel = textAttribute(attributes, 'rel')
      const relation = rel === '' ? '' : `rel="${escapeHtml(rel)}"`
      const shown = isSet(attributes, 'isLink')
        ? `<a href="${linkTo(content, block.post)}" ${linkTarget(attributes)} ${relation}>${title}</a>`
        : title
      return `<${tag} ${wrapperAttributes(block, { class: aligned(attributes) })}>${shown}</${tag}>`
    },

    'core/post-date'(attributes, _content, block) {
      const settings = content.siteSettings()
      const isModified = textAttribute(attributes, 'displayType') === 'modified'
      const date = isModified ? block.post.modified : block.post.date
      const text = dateHtml(formatDate(date, textAttribute(attributes, 'format') || settings.dateFormat, settings))
      const shown = isSet(attributes, 'isLink') ? `<a href="${linkTo(content, block.post)}">${text}</a>` : text
      const wrapper = wrapperAttributes(block, { class: aligned(attributes) })
      return `<div ${wrapper}><time datetime="${formatDate(date, 'c', settings)}">${shown}</time></div>`
    },

    async 'core/post-excerpt'(attributes, _content, block) {
      const { post } = block
      const note = escapeHtml((await texts()).__('There is no excerpt because this is a protected post.'))
      const more = textAttribute(attributes, 'moreText')
      const excerpt = isClosed(post) ? note : await content.getExcerpt(post)
      if (excerpt === '') return ''
      tagPage(`post-${post.id}`)
      const link =
        more === ''
          ? ''
          : `<a class="wp-block-post-excerpt__more-link" href="${linkTo(content, post)}">${cleanPostHtml(more)}</a>`
      const isOwnLine = attributes.showMoreOnNewLine === undefined || isSet(attributes, 'showMoreOnNewLine')
      const rest =
        isOwnLine && link !== '' ? `</p><p class="wp-block-post-excerpt__more-text">${link}</p>` : ` ${link}</p>`
      const wrapper = wrapperAttributes(block, { class: aligned(attributes) })
      return `<div ${wrapper}><p class="wp-block-post-excerpt__excerpt">${excerpt}${rest}</div>`
    },

    async 'core/post-terms'(attributes, _content, block) {
      const name = textAttribute(attributes, 'term')
      if (!content.taxonomies().get(name)?.public) return ''
      const { terms } = await around(parts, block.post)
      const own = Object.hasOwn(terms, name) ? (terms[name] ?? []) : []
      if (own.length === 0) return ''
      const links = own.map((term) => `<a href="${linkTo(content, term)}" rel="tag">${escapeHtml(term.name)}</a>`)
      const between = escapeHtml(textAttribute(attributes, 'separator') || ' ')
      const separator = `<span class="wp-block-post-terms__separator">${between}</span>`
      const affix = (kind: 'prefix' | 'suffix') => {
        const text = textAttribute(attributes, kind)
        return text === '' ? '' : `<span class="wp-block-post-terms__${kind}">${cleanPostHtml(text)}</span>`
      }
      const names = classNames(`taxonomy-${name}`, aligned(attributes))
      const wrapper = wrapperAttributes(block, { class: names })
      return `<div ${wrapper}>${affix('prefix')}${links.join(separator)}${affix('suffix')}</div>`
    },

    async 'core/read-more'(attributes, _content, block) {
      const justify = choiceClass('is-justified-', textAttribute(attributes, 'justifyContent'))
      const text = cleanPostHtml(textAttribute(attributes, 'content')) || escapeHtml((await texts()).__('Read more'))
      const wrapper = wrapperAttributes(block, { class: justify })
      return `<a ${wrapper} href="${linkTo(content, block.post)}" ${linkTarget(attributes)}>${text}</a>`
    },

    'core/post-comments-count'(attributes, _content, block) {
      const count = isClosed(block.post) ? 0 : block.post.commentCount
      tagPage(`post-${block.post.id}`)
      return `<div ${wrapperAttributes(block, { class: aligned(attributes) })}>${count}</div>`
    },
  }
}
