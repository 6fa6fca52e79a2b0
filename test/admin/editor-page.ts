import { build } from 'esbuild'
import type { Browser, Page } from 'playwright-core'
import { launchChromium } from '../speed/chromium.ts'

const TEXT = './admin/src/screens/content/editor/text'

/** The visual editor of the admin, without the admin around it: no toolbar, no site. */
const ENTRY = `
import { Editor } from '@tiptap/core'
import { cleanPaste } from '${TEXT}/clean-paste.ts'
import { pasteMarkdown } from '${TEXT}/paste-markdown.ts'
import { textExtensions, HtmlBlock } from '${TEXT}/extensions.ts'
import { isVisual, openContent } from '${TEXT}/open-content.ts'
import { insertableBlocks } from '${TEXT}/insertable.ts'
import { insertBlocks } from '${TEXT}/blocks/insert.ts'
import { segmentsOf } from '${TEXT}/segments.ts'

Object.assign(window, { isVisual, segmentsOf, insertableBlocks })
window.insert = (blocks) => insertBlocks(window.editor, blocks)
window.open = (content) => {
  window.editor?.destroy()
  document.body.replaceChildren()
  window.editor = new Editor({
    element: document.body,
    injectCSS: false,
    enablePasteRules: ['link'],
    editorProps: {
      transformPastedHTML: cleanPaste,
      clipboardTextParser: pasteMarkdown,
    },
    extensions: [...textExtensions, HtmlBlock],
    onBeforeCreate({ editor }) {
      window.opened = openContent(content, editor.schema)
      editor.options.content = window.opened.doc.toJSON()
    },
  })
}
window.stored = () => window.opened.store(window.editor.state.doc)
/** Names of the blocks in the editor. */
window.kinds = () => window.editor.state.doc.content.content.map((node) => node.type.name)
/** Types into the block at that position, at its first place for text. */
window.typeInto = (index, text) => {
  let at = -1
  window.editor.state.doc.forEach((block, offset, position) => {
    if (position !== index) return
    if (block.isTextblock) at = offset + 1
    block.descendants((node, inner) => {
      if (at < 0 && node.isTextblock) at = offset + inner + 2
    })
  })
  if (at >= 0) window.editor.view.dispatch(window.editor.state.tr.insertText(text, at))
  return at >= 0
}
`

/** What modules of the admin read when they are loaded. */
const PAGE_DATA = {
  user: { id: 1, capabilities: ['upload_files', 'edit_posts'] },
  site: { url: 'https://example.org', timezone: 'UTC' },
  locale: { language: 'en', direction: 'ltr' },
}

export interface EditorPage {
  readonly page: Page
  close(): Promise<void>
}

/**
 * Opens a page with the functions `open(content)` and `stored()`, the stored form of what is in the editor, and the Tiptap editor
 * as `editor`. It has no secure context, like a site without HTTPS. The browser is Chromium by default.
 */
export async function openEditorPage(launch: () => Promise<Browser> = launchChromium): Promise<EditorPage> {
  const bundle = await build({
    stdin: { contents: ENTRY, resolveDir: process.cwd(), loader: 'ts' },
    bundle: true,
    write: false,
    format: 'iife',
  })
  const browser = await launch()
  const page = await browser.newPage()
  await page.setContent(`<script type="application/json" id="pentad-data">${JSON.stringify(PAGE_DATA)}</script>`)
  await page.addScriptTag({ content: bundle.outputFiles[0]?.text ?? '' })
  return { page, close: () => browser.close() }
}
