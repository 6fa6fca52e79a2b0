import type { Editor } from '@tiptap/core'
import { read } from '../../../../api/rest.ts'
import { isEmptyLine } from './blocks/insert.ts'
import { embed, type OembedResponse } from './blocks/new-blocks.ts'

/** The embed block of a URL, from what its provider says. */
export async function embedOf(url: string) {
  return embed(url, await askProvider(url))
}

const askProvider = (url: string) => read<OembedResponse>('oembed/1.0/proxy', { url }).catch(() => undefined)

/**
 * A URL that is pasted on an empty line becomes an embed if the site knows its provider, as in WordPress.
 *
 * @returns whether that was pasted
 */
export function pasteUrl(editor: Editor, pasted: string): boolean {
  const url = pasted.trim()
  const { $from } = editor.state.selection
  if ($from.depth !== 1 || !isEmptyLine($from) || !/^https?:\/\/\S+$/.test(url)) return false
  editor.view.dispatch(editor.state.tr.insertText(url))
  void askProvider(url).then((found) => {
    if (found && !editor.isDestroyed) replaceLine(editor, url, found)
  })
  return true
}

/** Replaces the line, unless it has been edited while the provider was asked. */
function replaceLine(editor: Editor, url: string, found: OembedResponse): void {
  let at = -1
  editor.state.doc.forEach((node, offset) => {
    if (node.type.name === 'paragraph' && node.textContent === url) at = offset
  })
  if (at < 0) return
  const { tr, schema } = editor.state
  const paragraph = schema.nodes.paragraph?.create()
  const isLast = at + url.length + 2 === tr.doc.content.size
  const block = schema.nodeFromJSON(embed(url, found))
  editor.view.dispatch(tr.replaceWith(at, at + url.length + 2, isLast && paragraph ? [block, paragraph] : [block]))
}
