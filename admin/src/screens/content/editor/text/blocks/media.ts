import { mergeAttributes, Node } from '@tiptap/core'
import type { DOMOutputSpec, Node as DocumentNode } from '@tiptap/pm/model'
import { BLOCK } from '../block-comments.ts'
import { frozenView } from './frozen-view.ts'
import { CAPTION, elementAttribute } from './preserved.ts'

const findCaption = (block: globalThis.Node) =>
  (block instanceof Element && block.querySelector<HTMLElement>(':scope > figcaption')) ||
  document.createElement('figcaption')

interface CaptionedBlock {
  readonly name: string
  readonly className: string
  /** Which element it must have. */
  readonly selector: string
  readonly attributes: Readonly<Record<string, object>>
  readonly content: (node: DocumentNode) => DOMOutputSpec
}

/** A figure with something that isn't text, and a caption that is. */
function captioned({ name, className, selector, attributes, content }: CaptionedBlock) {
  return Node.create({
    name,
    group: 'block',
    content: 'inline*',
    draggable: true,
    isolating: true,
    addAttributes: () => ({
      ...attributes,
      caption: elementAttribute((block) => block.querySelector('figcaption'), CAPTION),
    }),
    parseHTML: () => [
      {
        tag: `figure.${className}`,
        priority: 60,
        getAttrs: (block: HTMLElement) => (block.querySelector(`:scope > ${selector}`) ? {} : false),
        contentElement: findCaption,
      },
    ],
    renderHTML: ({ node, HTMLAttributes }) => [
      'figure',
      mergeAttributes({ class: className }, HTMLAttributes),
      content(node),
      ['figcaption', node.attrs.caption, 0],
    ],
    addNodeView: () => frozenView,
  })
}

const player = (name: 'audio' | 'video') =>
  captioned({
    name,
    className: `wp-block-${name}`,
    selector: name,
    attributes: { media: elementAttribute((block) => block.querySelector(name)) },
    content: ({ attrs }) => [name, attrs.media],
  })

const Embed = captioned({
  name: 'embed',
  className: 'wp-block-embed',
  selector: '.wp-block-embed__wrapper',
  attributes: {
    url: {
      default: '',
      parseHTML: (block: HTMLElement) => block.querySelector('.wp-block-embed__wrapper')?.textContent?.trim() ?? '',
      rendered: false,
    },
  },
  content: ({ attrs }) => ['div', { class: 'wp-block-embed__wrapper' }, `\n${attrs.url}\n`],
})

const Gallery = Node.create({
  name: 'gallery',
  group: 'block',
  content: 'figure+ caption?',
  draggable: true,
  allowGapCursor: false,
  isolating: true,
  parseHTML: () => [{ tag: 'figure.wp-block-gallery', priority: 60 }],
  renderHTML: ({ HTMLAttributes }) => [
    'figure',
    mergeAttributes({ class: 'wp-block-gallery has-nested-images columns-default is-cropped' }, HTMLAttributes),
    0,
  ],
})

/** The caption of a block whose other content can be edited, too. */
const Caption = Node.create({
  name: 'caption',
  content: 'inline*',
  isolating: true,
  parseHTML: () => [{ tag: 'figcaption' }],
  renderHTML: ({ HTMLAttributes }) => ['figcaption', HTMLAttributes, 0],
})

const LINK = 'a:not(.wp-block-file__button)'

/** A link to a file, with a button that downloads it. */
const File = Node.create({
  name: 'file',
  group: 'block',
  content: 'text*',
  marks: 'bold italic strike code underline',
  draggable: true,
  isolating: true,
  addAttributes: () => ({
    link: elementAttribute((block) => block.querySelector(`:scope > ${LINK}`)),
    button: elementAttribute((block) => block.querySelector(':scope > .wp-block-file__button')),
    buttonText: {
      default: '',
      parseHTML: (block: HTMLElement) => block.querySelector(':scope > .wp-block-file__button')?.textContent ?? '',
      rendered: false,
    },
  }),
  parseHTML: () => [
    {
      tag: 'div.wp-block-file',
      contentElement: (block: globalThis.Node) =>
        (block instanceof Element && block.querySelector<HTMLElement>(`:scope > ${LINK}`)) ||
        document.createElement('a'),
    },
  ],
  renderHTML: ({ node: { attrs }, HTMLAttributes }) => [
    'div',
    mergeAttributes({ class: 'wp-block-file' }, HTMLAttributes),
    ['a', attrs.link, 0],
    ...(attrs.buttonText === '' ? [] : [['a', attrs.button, attrs.buttonText]]),
  ],
  addNodeView: () => frozenView,
})

const CONTAINER = '.wp-block-cover__inner-container'

/** Text on an image or a color. */
const Cover = Node.create({
  name: 'cover',
  group: 'block',
  content: 'block+',
  defining: true,
  isolating: true,
  addAttributes: () => ({
    /** HTML of the elements behind the text: image or video, and the color over it. */
    background: {
      default: '',
      parseHTML: (block: HTMLElement) =>
        [...block.children]
          .filter((child) => !child.matches(CONTAINER))
          .map((child) => withoutMarks(child).outerHTML)
          .join(''),
      rendered: false,
    },
    container: elementAttribute((block) => block.querySelector(`:scope > ${CONTAINER}`), {
      class: CONTAINER.slice(1),
    }),
  }),
  parseHTML: () => [
    {
      tag: 'div.wp-block-cover',
      getAttrs: (block: HTMLElement) => (block.querySelector(`:scope > ${CONTAINER}`) ? {} : false),
      contentElement: `:scope > ${CONTAINER}`,
    },
  ],
  renderHTML: ({ node: { attrs }, HTMLAttributes }) => [
    'div',
    mergeAttributes({ class: 'wp-block-cover' }, HTMLAttributes),
    ...new DOMParser().parseFromString(String(attrs.background), 'text/html').body.children,
    ['div', attrs.container, 0],
  ],
  addNodeView: () => frozenView,
})

/** A copy without the attributes that mark blocks. */
function withoutMarks(element: Element): Element {
  const copy = new DOMParser().parseFromString(element.outerHTML, 'text/html').body.firstElementChild ?? element
  for (const one of [copy, ...copy.querySelectorAll('*')]) {
    for (const { name } of [...one.attributes]) if (name === BLOCK || name.startsWith('on')) one.removeAttribute(name)
  }
  return copy
}

export const media = [player('audio'), player('video'), Embed, Gallery, Caption, File, Cover]
