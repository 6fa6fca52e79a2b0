import { Node } from '@tiptap/core'
import { BLOCK } from './block-comments.ts'

type Attributes = Readonly<Record<string, string>>

/** An image with a caption, in the markup of WordPress's block editor. */
export const Figure = Node.create({
  name: 'figure',
  group: 'block',
  content: 'inline*',
  draggable: true,
  isolating: true,
  addAttributes() {
    return {
      image: {
        default: {},
        parseHTML: (figure) => attributesOf(figure.querySelector(':scope > img')),
        rendered: false,
      },
      caption: {
        default: {},
        parseHTML: (figure) => attributesOf(figure.querySelector(':scope > figcaption')),
        rendered: false,
      },
    }
  },
  parseHTML() {
    return [
      {
        tag: 'figure',
        getAttrs: (figure) => (figure.querySelector(':scope > img') ? {} : false),
        contentElement: (figure) =>
          (figure instanceof Element && figure.querySelector<HTMLElement>(':scope > figcaption')) ||
          document.createElement('figcaption'),
      },
    ]
  },
  renderHTML({ node, HTMLAttributes }) {
    const { image, caption } = node.attrs
    return ['figure', HTMLAttributes, ['img', image], ['figcaption', caption, 0]]
  },
})

function attributesOf(element: Element | null): Attributes {
  const own = element ? [...element.attributes].filter(({ name }) => name !== BLOCK && !name.startsWith('on')) : []
  return Object.fromEntries(own.map(({ name, value }) => [name, value]))
}
