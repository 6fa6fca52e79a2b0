import { Placeholder } from '@tiptap/extensions'
import { __ } from '../../../../i18n.ts'

const TEXTS: Readonly<Record<string, string>> = {
  caption: __('Add caption', 'pentad'),
  citation: __('Add citation', 'pentad'),
  summary: __('Write summary', 'pentad'),
  button: __('Add text', 'pentad'),
  heading: __('Heading', 'pentad'),
  figure: __('Add caption', 'pentad'),
  embed: __('Add caption', 'pentad'),
  audio: __('Add caption', 'pentad'),
  video: __('Add caption', 'pentad'),
}

/** What empty parts of the text are for. */
export const placeholders = Placeholder.configure({
  includeChildren: true,
  showOnlyCurrent: false,
  placeholder: ({ node, hasAnchor }) =>
    TEXTS[node.type.name] ??
    (hasAnchor && node.type.name === 'paragraph' ? __('Type / to choose a block', 'pentad') : ''),
})
