import { Node } from '@tiptap/core'
import { frozenView } from './blocks/frozen-view.ts'
import { attributesOf, CAPTION, elementAttribute } from './blocks/preserved.ts'

/** An image with a caption, in the markup of WordPress's block editor. */
export const Figure = Node.create({
  name: 'figure',
  group: 'block',
  content: 'inline*',
  draggable: true,
  isolating: true,
  addAttributes() {
    return {
      /** A link around the image; `null` without one. */
      link: {
        default: null,
        parseHTML: (figure) => {
          const link = figure.querySelector(':scope > a')
          return link && attributesOf(link)
        },
        rendered: false,
      },
      image: {
        default: {},
        parseHTML: (figure) => attributesOf(imageOf(figure)),
        rendered: false,
      },
      caption: elementAttribute((figure) => figure.querySelector(':scope > figcaption'), CAPTION),
    }
  },
  parseHTML() {
    return [
      {
        tag: 'figure',
        getAttrs: (figure) => (imageOf(figure) ? {} : false),
        contentElement: (figure) =>
          (figure instanceof Element && figure.querySelector<HTMLElement>(':scope > figcaption')) ||
          document.createElement('figcaption'),
      },
    ]
  },
  renderHTML({ node, HTMLAttributes }) {
    const { image, link, caption } = node.attrs
    const picture = ['img', image]
    return ['figure', HTMLAttributes, link ? ['a', link, picture] : picture, ['figcaption', caption, 0]]
  },
  addNodeView: () => frozenView,
})

const imageOf = (figure: Element) => figure.querySelector(':scope > img, :scope > a > img')
