import { escapeHtml } from '../../../core/http/escape-html.ts'
import { isSet, numberAttribute, partOf, textAttribute } from '../../content/blocks/attributes.ts'
import { addToFirstTag } from '../../content/blocks/layout.ts'
import { stylesOf } from '../../content/blocks/styles.ts'
import { toParagraphs } from '../../content/render/autop.ts'
import { imageTag } from '../../content/render/image-tag.ts'
import { around, type BlockParts, type BlockRenderers, isClosed, uniqueId } from './parts.ts'

const CONTAINER = /<div\b[^>]*\bwp-block-cover__inner-container[\s"][^>]*>/

/** Blocks whose saved HTML is completed at render time: `core/cover`, `core/file`, `core/gallery`, `core/shortcode`. */
export function mediaBlocks(parts: BlockParts): BlockRenderers {
  return {
    async 'core/cover'(attributes, html, block) {
      const isFeatured =
        textAttribute(attributes, 'backgroundType') === 'image' && isSet(attributes, 'useFeaturedImage')
      if (!isFeatured || isClosed(block.post)) return html
      const { image } = await around(parts, block.post)
      if (!image) return html
      if (isSet(attributes, 'hasParallax') || isSet(attributes, 'isRepeated')) {
        const height = numberAttribute(attributes, 'minHeight')
        const unit = textAttribute(attributes, 'minHeightUnit') || 'px'
        const url = image.url.replaceAll(/[\s"'()\\]/g, encodeURIComponent)
        const style = `background-image:url(${url});${stylesOf({ 'min-height': height > 0 ? `${height}${unit}` : undefined })}`
        return addToFirstTag(html, { classes: [], style })
      }
      const focus = ['x', 'y'].map((axis) => partOf(attributes, 'focalPoint', axis))
      const percent = focus.map((part) => `${Math.round(Number(part) * 100)}%`).join(' ')
      const position = focus.every((part) => typeof part === 'number')
        ? { 'data-object-position': percent, style: `object-position: ${percent}` }
        : {}
      const tag = imageTag({ details: image }, 'post-thumbnail', {
        ...{ class: 'wp-block-cover__image-background wp-post-image', 'data-object-fit': 'cover' },
        ...position,
      })
      const at = CONTAINER.exec(html)?.index
      return at === undefined ? html : html.slice(0, at) + tag + html.slice(at)
    },

    'core/file'(_attributes, html) {
      return html.replace(/(<object\b[^>]*\saria-label=")([^"]*)"/i, (_, start: string, name: string) => {
        const label = name === '' || name === 'PDF embed' ? 'PDF embed' : `Embed of ${name}.`
        return `${start}${label}"`
      })
    },

    'core/gallery'(attributes, html) {
      const gap = partOf(attributes, 'style', 'spacing', 'blockGap')
      const isPair = typeof gap === 'object' && gap !== null
      const [row, column] = isPair ? [partOf(gap, 'top'), partOf(gap, 'left')] : [gap, gap]
      const style = stylesOf({ '--wp--style--unstable-gallery-gap': column, 'row-gap': row, 'column-gap': column })
      return addToFirstTag(html, { classes: [uniqueId('wp-block-gallery-')], style })
    },

    'core/image'(attributes, html, block) {
      // For scripts that find the images of a gallery; only galleries provide this context.
      const isInGallery = Object.hasOwn(block.context, 'imageCrop')
      const id = attributes['data-id'] ?? (isInGallery ? attributes.id : undefined)
      if (typeof id !== 'string' && typeof id !== 'number') return html
      const written = `data-id="${escapeHtml(String(id))}"`
      return html.includes(written) ? html : html.replace('<img', () => `<img ${written} `)
    },

    'core/shortcode': (_attributes, html) => toParagraphs(html),
  }
}
