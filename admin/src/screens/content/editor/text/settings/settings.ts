import type { Node } from '@tiptap/pm/model'
import { __ } from '../../../../../i18n.ts'
import { parseComment } from '../block-comments.ts'
import { changed, classesOf, ownClassesOf, withClasses, withComment, withKept } from '../blocks/attributes.ts'

type Attributes = Node['attrs']

interface Common<Value> {
  readonly id: string
  readonly label: string
  readonly description?: string
  readonly get: (node: Node) => Value
  /** The node's attributes with another value. */
  readonly set: (node: Node, value: Value) => Attributes
}

/** What can be set for a block, in the markup that the `save` functions of WordPress's block library write. */
export type BlockSetting =
  | ({ readonly kind: 'switch' } & Common<boolean>)
  | ({ readonly kind: 'text' } & Common<string>)
  | ({ readonly kind: 'choice'; readonly options: readonly string[] } & Common<string>)

const NEW_TAB = { target: '_blank', rel: 'noreferrer noopener' }
const SAME_TAB = { target: undefined, rel: undefined }

/** A link in an attribute of the node. */
function opensInNewTab(name: 'link'): BlockSetting {
  return {
    kind: 'switch',
    id: 'new-tab',
    label: __('Open link in a new tab', 'pentad'),
    get: ({ attrs }) => attrs[name]?.target === '_blank',
    set: ({ attrs }, isOn) => ({ ...attrs, [name]: attrs[name] && changed(attrs[name], isOn ? NEW_TAB : SAME_TAB) }),
  }
}

/** An attribute of the `video` or `audio` element. */
const player = (attribute: string, label: string): BlockSetting => ({
  kind: 'switch',
  id: attribute,
  label,
  get: ({ attrs }) => attribute in attrs.media,
  set: ({ attrs }, isOn) => ({ ...attrs, media: changed(attrs.media, { [attribute]: isOn ? '' : undefined }) }),
})

const imageLink: BlockSetting = {
  kind: 'text',
  id: 'link',
  label: __('Link', 'pentad'),
  get: ({ attrs }) => String(attrs.link?.href ?? ''),
  set: (node, value) => {
    const href = value.trim()
    const link = href === '' ? null : changed(node.attrs.link, { href })
    return withComment({ ...node.attrs, link }, node, { linkDestination: href === '' ? 'none' : 'custom' })
  },
}

const headingLevel: BlockSetting = {
  kind: 'choice',
  id: 'level',
  label: __('Heading level', 'pentad'),
  options: ['1', '2', '3', '4', '5', '6'],
  get: ({ attrs }) => String(attrs.level),
  set: ({ attrs }, value) => ({ ...attrs, level: Number(value) }),
}

const firstNumber: BlockSetting = {
  kind: 'text',
  id: 'start',
  label: __('Start at', 'pentad'),
  get: ({ attrs }) => String(attrs.start),
  set: ({ attrs }, value) => ({ ...attrs, start: /^-?\d{1,9}$/.test(value.trim()) ? Number(value) : 1 }),
}

const openByDefault: BlockSetting = {
  kind: 'switch',
  id: 'open',
  label: __('Open by default', 'pentad'),
  get: ({ attrs }) => attrs.kept?.open !== undefined,
  set: (node, isOn) =>
    withComment(withKept(node.attrs, { open: isOn ? '' : undefined }), node, { showContent: isOn || undefined }),
}

const UNSTACKED = 'is-not-stacked-on-mobile'

const stackOnPhones: BlockSetting = {
  kind: 'switch',
  id: 'stack',
  label: __('Stack on mobile', 'pentad'),
  get: ({ attrs }) => !classesOf(attrs).includes(UNSTACKED),
  set: (node, isOn) => {
    const others = ownClassesOf(node).filter((name) => name !== UNSTACKED)
    const attrs = withClasses(node.attrs, isOn ? others : [...others, UNSTACKED])
    return withComment(attrs, node, { isStackedOnMobile: isOn ? undefined : false })
  },
}

const anchor: BlockSetting = {
  kind: 'text',
  id: 'anchor',
  label: __('HTML anchor', 'pentad'),
  description: __('Lets you link to this block, for example with /page/#prices.', 'pentad'),
  get: ({ attrs }) => String(attrs.kept?.id ?? ''),
  set: ({ attrs }, value) => withKept(attrs, { id: value.trim().replaceAll(/[\s#]+/g, '-') || undefined }),
}

const cssClasses: BlockSetting = {
  kind: 'text',
  id: 'classes',
  label: __('Additional CSS classes', 'pentad'),
  description: __('Separate multiple classes with spaces.', 'pentad'),
  get: ({ attrs }) => String(parseComment(attrs.block ?? '').attributes.className ?? ''),
  set: (node, value) => {
    const before = cssClassesOf(node)
    const names = value.split(/\s+/).filter(Boolean)
    const others = ownClassesOf(node).filter((name) => !before.includes(name))
    return withComment(withClasses(node.attrs, [...others, ...names]), node, {
      className: names.join(' ') || undefined,
    })
  },
}

function cssClassesOf({ attrs }: Node): readonly string[] {
  return String(parseComment(attrs.block ?? '').attributes.className ?? '').split(/\s+/)
}

const GENERAL = [anchor, cssClasses]

interface SettableBlock {
  readonly label: string
  readonly settings: readonly BlockSetting[]
}

const block = (label: string, ...settings: readonly BlockSetting[]): SettableBlock => ({
  label,
  settings: [...settings, ...GENERAL],
})

/** The blocks with settings, by node type. */
export const SETTABLE: Readonly<Record<string, SettableBlock>> = {
  paragraph: block(__('Paragraph', 'pentad')),
  heading: block(__('Heading', 'pentad'), headingLevel),
  bulletList: block(__('Bulleted list', 'pentad')),
  orderedList: block(__('Numbered list', 'pentad'), firstNumber),
  blockquote: block(__('Quote', 'pentad')),
  pullquote: block(__('Pull quote', 'pentad')),
  codeBlock: block(__('Code', 'pentad')),
  horizontalRule: block(__('Separator', 'pentad')),
  figure: block(__('Image', 'pentad'), imageLink, opensInNewTab('link')),
  gallery: block(__('Gallery', 'pentad')),
  video: block(
    __('Video', 'pentad'),
    player('autoplay', __('Autoplay', 'pentad')),
    player('loop', __('Loop', 'pentad')),
    player('muted', __('Muted', 'pentad')),
    player('controls', __('Playback controls', 'pentad')),
  ),
  audio: block(
    __('Audio', 'pentad'),
    player('autoplay', __('Autoplay', 'pentad')),
    player('loop', __('Loop', 'pentad')),
  ),
  file: block(__('File', 'pentad')),
  cover: block(__('Cover', 'pentad')),
  embed: block(__('Embed', 'pentad')),
  button: block(__('Button', 'pentad'), opensInNewTab('link')),
  buttons: block(__('Buttons', 'pentad')),
  columns: block(__('Columns', 'pentad'), stackOnPhones),
  column: block(__('Column', 'pentad')),
  blockGroup: block(__('Group', 'pentad')),
  details: block(__('Details', 'pentad'), openByDefault),
  tableFigure: block(__('Table', 'pentad')),
}
