import { escapeHtml } from '../../../../core/http/escape-html.ts'
import { isSet, numberAttribute, textAttribute } from '../../../content/blocks/attributes.ts'
import type { BlockAttributes } from '../../../content/blocks/parser.ts'
import { kebabCase, stylesOf } from '../../../content/blocks/styles.ts'
import { bordersOf, htmlAttributes, wrapperAttributes } from '../../../content/blocks/supports.ts'
import { imageTag } from '../../../content/render/image-tag.ts'
import { plainText } from '../../../text/plain-text.ts'
import { asLarge } from '../nesting.ts'
import { around, type BlockParts, type BlockRenderers, classNames, isClosed, linkTo } from '../parts.ts'
import { linkTarget } from './texts.ts'

/** `core/post-featured-image` */
export function featuredImage(parts: BlockParts): BlockRenderers {
  const { content } = parts
  return {
    'core/post-featured-image': asLarge(parts, async (attributes, _content, block) => {
      const { image } = await around(parts, block.post)
      if (!image || isClosed(block.post)) return ''
      const isLink = isSet(attributes, 'isLink')
      const size = textAttribute(attributes, 'sizeSlug') || 'post-thumbnail'
      const border = bordersOf(attributes)
      const height = textAttribute(attributes, 'height')
      const sized = height === '' ? {} : { height, 'object-fit': textAttribute(attributes, 'scale') }
      const style = border.style + stylesOf(sized)
      // Custom classes replace the default ones, as in WordPress.
      const named = border.classes.join(' ') || `attachment-${size} size-${size}`
      const tag = imageTag({ details: image }, size, {
        class: `${named} wp-post-image`,
        ...(isLink ? { alt: plainText(content.renderTitle(block.post)) } : {}),
        ...(style === '' ? {} : { style }),
      })
      const rel = textAttribute(attributes, 'rel')
      const relation = rel === '' ? '' : `rel="${escapeHtml(rel)}"`
      const shown = tag + overlay(attributes)
      const html = isLink
        ? `<a href="${linkTo(content, block.post)}" ${linkTarget(attributes)} ${relation}>${shown}</a>`
        : shown
      const width = stylesOf({ width: textAttribute(attributes, 'width') })
      return `<figure ${wrapperAttributes(block, { style: width })}>${html}</figure>`
    }),
  }
}

function overlay(attributes: BlockAttributes): string {
  const dim = numberAttribute(attributes, 'dimRatio', { max: 100 })
  if (dim === 0) return ''
  const border = bordersOf(attributes)
  const color = textAttribute(attributes, 'overlayColor')
  const gradient = textAttribute(attributes, 'gradient')
  const custom = textAttribute(attributes, 'customGradient')
  const names = classNames(
    'wp-block-post-featured-image__overlay',
    ...border.classes,
    `has-background-dim has-background-dim-${dim}`,
    color !== '' && `has-${kebabCase(color)}-background-color`,
    (gradient !== '' || custom !== '') && 'has-background-gradient',
    gradient !== '' && `has-${kebabCase(gradient)}-gradient-background`,
  )
  const own = { 'background-image': custom, 'background-color': textAttribute(attributes, 'customOverlayColor') }
  return `<span ${htmlAttributes({ class: names, style: border.style + stylesOf(own) })} aria-hidden="true"></span>`
}
