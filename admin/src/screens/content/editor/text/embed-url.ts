import type { Editor, JSONContent } from '@tiptap/core'
import type { Node } from '@tiptap/pm/model'
import { ApiError } from '../../../../api/error.ts'
import { read } from '../../../../api/rest.ts'
import { insertBlocks, isContainer, isEmptyLine } from './blocks/insert.ts'
import { embed, type OembedResponse } from './blocks/new-blocks.ts'
import { offerRetry } from './embed-failure.tsx'

/** The longest URL that the route accepts. */
const LONGEST_URL = 2000

/** Whether the lines of a block can become embeds: those of a quote too, as in WordPress. */
const takesEmbeds = (block: Node) => isContainer(block) || block.type.name === 'blockquote'

/** Inserts the embed of a URL; of a URL without a provider, a link. */
export function insertUrl(editor: Editor, url: string): void {
  const lines = [{ type: 'paragraph', content: [{ type: 'text', text: url }] }, { type: 'paragraph' }]
  // Nothing can follow the source of a quote in the quote.
  const isSource = editor.state.selection.$from.parent.type.name === 'citation'
  insertBlocks(editor, lines, isSource ? isContainer : takesEmbeds)
  // Writing continues in the second paragraph: the first must not change until the provider responds.
  editor.commands.setTextSelection(editor.state.selection.$from.after() + 1)
  void embedLine(editor, url)
}

/**
 * A URL that is pasted on an empty line becomes an embed if the site knows its provider, as in WordPress, and otherwise a
 * link.
 *
 * @returns whether that was pasted
 */
export function pasteUrl(editor: Editor, pasted: string): boolean {
  const url = pasted.trim()
  if (!isEmptyLine(editor.state.selection.$from, takesEmbeds) || !/^https?:\/\/\S+$/.test(url)) return false
  editor.view.dispatch(editor.state.tr.insertText(url))
  void embedLine(editor, url)
  return true
}

/** Turns the line with the URL into an embed or a link, unless it is edited meanwhile. */
async function embedLine(editor: Editor, url: string): Promise<void> {
  try {
    const found = await askProvider(url)
    if (editor.isDestroyed) return
    if (found) replaceLine(editor, url, embed(url, found))
    else linkLine(editor, url)
  } catch {
    if (editor.isDestroyed) return
    offerRetry(editor, url, { retry: () => void embedLine(editor, url), keep: () => linkLine(editor, url) })
  }
}

/** `undefined` if the site knows no provider for the URL. @throws if the provider does not answer */
async function askProvider(url: string): Promise<OembedResponse | undefined> {
  if (url.length > LONGEST_URL) return undefined
  try {
    return await read<OembedResponse>('oembed/1.0/proxy', { url })
  } catch (error) {
    if (error instanceof ApiError && error.status === 404 && !error.data.hasProvider) return undefined
    throw error
  }
}

/** Position of the last line with that URL that is not a link yet; `undefined` if it has been edited. */
function findLine({ state }: Editor, url: string): number | undefined {
  let found: number | undefined
  state.doc.descendants((node, position, parent) => {
    const isLine = parent && takesEmbeds(parent) && node.type.name === 'paragraph' && node.textContent === url
    if (isLine && !node.firstChild?.marks.some(({ type }) => type.name === 'link')) found = position
  })
  return found
}

function linkLine(editor: Editor, url: string): void {
  const start = findLine(editor, url)
  const link = editor.schema.marks.link?.create({ href: url })
  if (start === undefined || !link) return
  editor.view.dispatch(editor.state.tr.addMark(start + 1, start + 1 + url.length, link))
}

function replaceLine(editor: Editor, url: string, content: JSONContent): void {
  const start = findLine(editor, url)
  if (start === undefined) return
  const { tr, schema } = editor.state
  const end = start + url.length + 2
  const block = schema.nodeFromJSON(content)
  const paragraph = schema.nodes.paragraph?.create()
  const { nodeAfter: next } = tr.doc.resolve(end)
  const isLast = next === null || next.type.name === 'citation'
  // First, so that a cursor on the line moves into it.
  if (isLast && paragraph) tr.insert(end, paragraph)
  editor.view.dispatch(tr.replaceWith(start, end, block))
}
