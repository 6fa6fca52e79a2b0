import { useHotkeys } from '@mantine/hooks'
import { RichTextEditor } from '@mantine/tiptap'
import { IconBraces, IconPhoto, IconPlus, IconSearch, IconTableRow } from '@tabler/icons-react'
import { type Editor, useEditorState } from '@tiptap/react'
import { type RefObject, useRef } from 'react'
import { __ } from '../../../../i18n.ts'
import { can } from '../../../../page-data.ts'
import { BlockControls } from './block-controls.tsx'
import { ImageControls } from './image-controls.tsx'
import { OverviewButton } from './overview-button.tsx'
import classes from './rich-text.module.css'
import { useRovingFocus } from './roving-focus.ts'

interface ToolbarProps {
  readonly editor: Editor | null
  /** Called with the place of the button. */
  readonly onInsert: (button: DOMRect) => void
  readonly onImage: () => void
  readonly onFind: () => void
}

export function Toolbar({ editor, onInsert, onImage, onFind }: ToolbarProps) {
  const toolbar = useRef<HTMLDivElement>(null)
  useRovingFocus(toolbar, () => editor?.view.focus())
  // As in WordPress's editor.
  useHotkeys([['alt+F10', () => focusToolbar(toolbar)]], [], true)
  return (
    <RichTextEditor.Toolbar
      ref={toolbar}
      className={classes.toolbar}
      role="toolbar"
      aria-label={__('Editor tools', 'pentad')}
      aria-keyshortcuts="Alt+F10"
      sticky
      stickyOffset="var(--app-shell-header-offset, 52px)"
    >
      <RichTextEditor.ControlsGroup>
        <RichTextEditor.Control
          onClick={(event) => onInsert(event.currentTarget.getBoundingClientRect())}
          aria-label={__('Add block', 'pentad')}
          aria-haspopup="dialog"
          title={__('Add block', 'pentad')}
        >
          <IconPlus size={16} aria-hidden />
        </RichTextEditor.Control>
      </RichTextEditor.ControlsGroup>
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
      </RichTextEditor.ControlsGroup>
      <RichTextEditor.ControlsGroup>
        <RichTextEditor.Link aria-keyshortcuts="Control+K Meta+K" />
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
        {editor && <ImageControls editor={editor} />}
      </RichTextEditor.ControlsGroup>
      {editor && <BlockControls editor={editor} />}
      {editor && <Tables editor={editor} />}
      <RichTextEditor.ControlsGroup>
        <RichTextEditor.Undo />
        <RichTextEditor.Redo />
      </RichTextEditor.ControlsGroup>
      <RichTextEditor.ControlsGroup>
        <RichTextEditor.Control
          onClick={onFind}
          aria-label={__('Find and replace', 'pentad')}
          aria-keyshortcuts="Control+Shift+H Meta+Shift+H"
          title={__('Find and replace', 'pentad')}
        >
          <IconSearch size={16} aria-hidden />
        </RichTextEditor.Control>
        {editor && <OverviewButton editor={editor} />}
      </RichTextEditor.ControlsGroup>
    </RichTextEditor.Toolbar>
  )
}

function focusToolbar({ current }: RefObject<HTMLElement | null>): void {
  current?.querySelector<HTMLElement>('button:enabled[tabindex="0"]')?.focus()
}

/** Controls for the table at the cursor. */
function Tables({ editor }: { editor: Editor }) {
  const isInTable = useEditorState({ editor, selector: ({ editor: now }) => now.isActive('table') })
  return isInTable && <TableControls editor={editor} />
}

/** Controls for rows and columns. */
function TableControls({ editor }: { editor: Editor }) {
  return (
    <RichTextEditor.ControlsGroup>
      <RichTextEditor.Control
        aria-label={__('Toggle header row', 'pentad')}
        title={__('Toggle header row', 'pentad')}
        onClick={() => editor.chain().focus().toggleHeaderRow().run()}
      >
        <IconTableRow size={16} aria-hidden />
      </RichTextEditor.Control>
      <RichTextEditor.TableRowAfter />
      <RichTextEditor.TableRowDelete />
      <RichTextEditor.TableColumnAfter />
      <RichTextEditor.TableColumnDelete />
      <RichTextEditor.TableDelete />
    </RichTextEditor.ControlsGroup>
  )
}
