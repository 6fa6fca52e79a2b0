import { useHotkeys } from '@mantine/hooks'
import { RichTextEditor } from '@mantine/tiptap'
import '@mantine/tiptap/styles.css'
import type { JSONContent } from '@tiptap/core'
import { TextSelection } from '@tiptap/pm/state'
import { type Editor, useEditor } from '@tiptap/react'
import { useEffect, useRef, useState } from 'react'
import { MediaPicker } from '../../../media/media-picker.tsx'
import { insertBlocks, isEmptyLine, leaveBlock } from './blocks/insert.ts'
import { cleanPaste } from './clean-paste.ts'
import { DragHandle } from './drag-handle.ts'
import { dropImages } from './dropped-images.ts'
import { EmbedDialog } from './embed-dialog.tsx'
import { insertUrl, pasteUrl } from './embed-url.ts'
import { textExtensions } from './extensions.ts'
import { HtmlBlockBox } from './html-block-view.tsx'
import { insertImages } from './insert-images.ts'
import type { InsertableBlock, StoredPattern, WantedFiles } from './insertable.ts'
import { Inserter } from './inserter.tsx'
import { LABELS } from './labels.ts'
import { type OpenedContent, openContent } from './open-content.ts'
import { pasteMarkdown } from './paste-markdown.ts'
import { blocksOf } from './patterns/patterns.ts'
import { placeholders } from './placeholders.ts'
import classes from './rich-text.module.css'
import { Find } from './search/find.ts'
import { FindPanel } from './search/find-panel.tsx'
import { StatusBar } from './status-bar.tsx'
import { Toolbar } from './toolbar.tsx'

const extensions = [...textExtensions, HtmlBlockBox, placeholders, Find, DragHandle]

interface RichTextProps {
  readonly label: string
  /** HTML in its stored form. */
  readonly value: string
  readonly onChange: (value: string) => void
}

interface Inserting {
  readonly left: number
  readonly top: number
  /** Opened by a typed `/`. */
  readonly isSlash: boolean
  readonly search: string
}

const isWanted = (content: JSONContent | WantedFiles): content is WantedFiles => 'create' in content
const isPattern = (content: JSONContent | StoredPattern): content is StoredPattern => 'pattern' in content

/** The visual editor. HTML that it can't display is preserved and shown as a box. */
export function RichText({ label, value, onChange }: RichTextProps) {
  const [inserting, setInserting] = useState<Inserting>()
  const [wanted, setWanted] = useState<WantedFiles>()
  const [isEmbedding, setEmbedding] = useState(false)
  const [isFinding, setFinding] = useState(false)
  useHotkeys([['mod+shift+H', () => setFinding(true)]], [], true)
  const given = useRef(value)
  /** What was passed to `onChange` since the latest of it came back as `value`. */
  const passed = useRef(new Set<string>())
  const opened = useRef<OpenedContent>(null)
  const onChangeRef = useRef(onChange)
  onChangeRef.current = onChange
  const editorRef = useRef<Editor>(null)
  const insertingRef = useRef<Inserting>(undefined)
  insertingRef.current = inserting
  const images = dropImages((items, position) => {
    if (editorRef.current) insertImages(editorRef.current, items, opened.current?.isClassic ?? false, position)
  })
  const editor = useEditor({
    extensions,
    // The page's content security policy allows no style elements; the styles are in the CSS module.
    injectCSS: false,
    shouldRerenderOnTransaction: false,
    // Markdown is read by `pasteMarkdown`; Tiptap's own rules take `5 * 3 * 2` for it.
    enablePasteRules: ['link'],
    editorProps: {
      attributes: { 'aria-label': label, role: 'textbox', 'aria-multiline': 'true' },
      ...images,
      transformPastedHTML: cleanPaste,
      clipboardTextParser: pasteMarkdown,
      handlePaste(view, event, slice) {
        const text = event.clipboardData?.getData('text/plain') ?? ''
        if (editorRef.current && pasteUrl(editorRef.current, text)) return true
        return images?.handlePaste?.call(this, view, event, slice) ?? false
      },
      // A click on a picture or player moves the cursor to its caption, which Firefox does not do for what can't be edited.
      handleClickOn(view, _pos, node, nodePos, { target }) {
        if (!node.isTextblock || !(target instanceof HTMLElement) || target.isContentEditable) return false
        view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, nodePos + 1)))
        return true
      },
      // `/` on an empty line opens the list of blocks. What is typed before its field has the focus belongs to the search.
      handleTextInput(view, _from, _to, text) {
        if (insertingRef.current) {
          openInserter({ ...insertingRef.current, search: insertingRef.current.search + text })
          return true
        }
        // What is typed would replace the block.
        const isLeft = leaveBlock(view)
        const { $from } = view.state.selection
        if (text === '/' && isEmptyLine($from)) {
          const { left, bottom } = view.coordsAtPos($from.pos)
          openInserter({ left, top: bottom, isSlash: true, search: '' })
          return true
        }
        if (isLeft) view.dispatch(view.state.tr.insertText(text))
        return isLeft
      },
    },
    onBeforeCreate({ editor: now }) {
      opened.current = openContent(value, now.schema)
      now.options.content = opened.current.doc.toJSON()
    },
    onUpdate({ editor: now }) {
      given.current = opened.current?.store(now.state.doc) ?? given.current
      passed.current.add(given.current)
      onChangeRef.current(given.current)
    },
  })
  editorRef.current = editor
  // A change from outside: a restored revision, or text generated by AI. What was typed may also come back after more has been typed.
  useEffect(() => {
    const isOwn = value === given.current || passed.current.has(value)
    if (value === given.current || !isOwn) passed.current.clear()
    if (!editor || isOwn) return
    given.current = value
    opened.current = openContent(value, editor.schema)
    editor.commands.setContent(opened.current.doc, { emitUpdate: false })
  }, [editor, value])

  function openInserter(next: Inserting): void {
    // Before the next render, because several letters may be typed until then.
    insertingRef.current = next
    setInserting(next)
  }
  const insert = (blocks: readonly JSONContent[]) => editor && blocks.length > 0 && insertBlocks(editor, blocks)
  function pick({ content }: InsertableBlock): void {
    setInserting(undefined)
    if (content === 'url') setEmbedding(true)
    else if (isWanted(content)) setWanted(content)
    else if (isPattern(content)) insert(editor ? blocksOf(content.pattern, editor.schema) : [])
    else insert([content])
  }
  function cancel(isEscape: boolean): void {
    setInserting(undefined)
    if (!editor) return
    editor.view.focus()
    if (isEscape && inserting?.isSlash) editor.view.dispatch(editor.state.tr.insertText('/'))
  }
  const isClassic = () => opened.current?.isClassic ?? false
  return (
    <RichTextEditor editor={editor} labels={LABELS}>
      <Toolbar
        editor={editor}
        onInsert={({ left, bottom }) => openInserter({ left, top: bottom, isSlash: false, search: '' })}
        onFind={() => setFinding(true)}
        onImage={() =>
          setWanted({
            accept: 'image',
            multiple: true,
            create: (items) => {
              if (editor) insertImages(editor, items, isClassic())
              return []
            },
          })
        }
      />
      <RichTextEditor.Content className={classes.content} />
      {editor && <StatusBar editor={editor} />}
      {editor && isFinding && <FindPanel editor={editor} onClose={() => setFinding(false)} />}
      <Inserter
        at={inserting}
        search={inserting?.search ?? ''}
        onSearch={(search) => inserting && openInserter({ ...inserting, search })}
        onPick={pick}
        onCancel={cancel}
      />
      <EmbedDialog
        opened={isEmbedding}
        onClose={() => setEmbedding(false)}
        onSubmit={(url) => {
          setEmbedding(false)
          if (editor) insertUrl(editor, url)
        }}
      />
      <MediaPicker
        opened={wanted !== undefined}
        onClose={() => setWanted(undefined)}
        {...(wanted?.accept ? { accept: wanted.accept } : {})}
        multiple={wanted?.multiple ?? false}
        onPick={(items) => insert(wanted?.create(items) ?? [])}
      />
    </RichTextEditor>
  )
}
