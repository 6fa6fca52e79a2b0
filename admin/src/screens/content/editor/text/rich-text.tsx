import { RichTextEditor } from '@mantine/tiptap'
import '@mantine/tiptap/styles.css'
import { IconBraces, IconPhoto } from '@tabler/icons-react'
import { getSchema } from '@tiptap/core'
import { type Editor, useEditor } from '@tiptap/react'
import { useEffect, useRef, useState } from 'react'
import { __ } from '../../../../i18n.ts'
import { can } from '../../../../page-data.ts'
import type { MediaItem } from '../../../media/media-item.ts'
import { MediaPicker } from '../../../media/media-picker.tsx'
import { fromEditor, toEditor } from './convert.ts'
import { textExtensions } from './extensions.ts'
import { ImageDescription } from './image-description.tsx'
import { KeptHtmlBox } from './kept-html-view.tsx'
import { LABELS } from './labels.ts'
import classes from './rich-text.module.css'

const extensions = [...textExtensions, KeptHtmlBox]
export const schema = getSchema(extensions)

interface RichTextProps {
  readonly label: string
  /** HTML as it is stored. */
  readonly value: string
  readonly onChange: (value: string) => void
}

/** Text as readers see it. What it can't show, it shows as a box and gives back as it was. */
export function RichText({ label, value, onChange }: RichTextProps) {
  const [isPicking, setPicking] = useState(false)
  const given = useRef(value)
  const told = useRef(onChange)
  told.current = onChange
  const editor = useEditor({
    extensions,
    content: toEditor(value, schema),
    // The policy of the page takes no style elements; the rules are in the module.
    injectCSS: false,
    shouldRerenderOnTransaction: false,
    editorProps: { attributes: { 'aria-label': label, role: 'textbox', 'aria-multiline': 'true' } },
    onUpdate({ editor: now }) {
      given.current = fromEditor(now.getHTML())
      told.current(given.current)
    },
  })
  // From outside: another version was restored, or a text was written by a model.
  useEffect(() => {
    if (!editor || value === given.current) return
    given.current = value
    editor.commands.setContent(toEditor(value, schema), { emitUpdate: false })
  }, [editor, value])
  return (
    <RichTextEditor editor={editor} labels={LABELS}>
      <Toolbar editor={editor} onImage={() => setPicking(true)} />
      <RichTextEditor.Content className={classes.content} />
      <MediaPicker
        opened={isPicking}
        onClose={() => setPicking(false)}
        accept="image"
        multiple
        onPick={(items) => insertImages(editor, items)}
      />
    </RichTextEditor>
  )
}

function Toolbar({ editor, onImage }: { editor: Editor | null; onImage: () => void }) {
  return (
    <RichTextEditor.Toolbar sticky stickyOffset="var(--app-shell-header-offset, 52px)">
      <RichTextEditor.ControlsGroup>
        <RichTextEditor.Bold />
        <RichTextEditor.Italic />
        <RichTextEditor.Strikethrough />
        <RichTextEditor.Code />
        <RichTextEditor.ClearFormatting />
      </RichTextEditor.ControlsGroup>
      <RichTextEditor.ControlsGroup>
        <RichTextEditor.H2 />
        <RichTextEditor.H3 />
        <RichTextEditor.H4 />
      </RichTextEditor.ControlsGroup>
      <RichTextEditor.ControlsGroup>
        <RichTextEditor.BulletList />
        <RichTextEditor.OrderedList />
        <RichTextEditor.Blockquote />
        <RichTextEditor.CodeBlock icon={IconBraces} />
        <RichTextEditor.Hr />
      </RichTextEditor.ControlsGroup>
      <RichTextEditor.ControlsGroup>
        <RichTextEditor.Link />
        <RichTextEditor.Unlink />
        {can('upload_files', 'edit_posts') && (
          <RichTextEditor.Control
            onClick={onImage}
            aria-label={__('Insert images', 'pentad')}
            title={__('Insert images', 'pentad')}
          >
            <IconPhoto size={16} aria-hidden />
          </RichTextEditor.Control>
        )}
        {editor && <ImageDescription editor={editor} />}
      </RichTextEditor.ControlsGroup>
      {editor && (
        <RichTextEditor.ControlsGroup>
          <RichTextEditor.TableInsert />
          <RichTextEditor.TableRowAfter />
          <RichTextEditor.TableRowDelete />
          <RichTextEditor.TableColumnAfter />
          <RichTextEditor.TableColumnDelete />
          <RichTextEditor.TableDelete />
        </RichTextEditor.ControlsGroup>
      )}
      <RichTextEditor.ControlsGroup>
        <RichTextEditor.Undo />
        <RichTextEditor.Redo />
      </RichTextEditor.ControlsGroup>
    </RichTextEditor.Toolbar>
  )
}

/** Images as WordPress's classic editor puts them: a class tells which file of the library it is. */
function insertImages(editor: Editor | null, items: readonly MediaItem[]): void {
  const nodes = items.map(({ id, source_url: full, alt_text: alt, media_details: { sizes, width, height } }) => {
    const size = sizes?.large ?? { source_url: full, width }
    // All sizes but the cropped ones have the shape of the file.
    const tall = size.width && width && height ? Math.round((size.width * height) / width) : null
    const attributes = { src: size.source_url, alt, width: size.width ?? null, height: tall }
    const kept = { class: `alignnone size-${sizes?.large ? 'large' : 'full'} wp-image-${id}` }
    return { type: 'paragraph', content: [{ type: 'image', attrs: { ...attributes, kept } }] }
  })
  editor?.chain().focus().insertContent(nodes).run()
}
