import { cutText } from './cut-text.ts'

/** Characters of an answer that are shown. */
const LONGEST_REPLY = 32_000

/** Signs that may be marks of Markdown in them: telling which are takes time that grows faster than their number. */
const MOST_MARKS = 1500
const MARKS = /[*_~[\]<>`]/g

/** Items of lists, lines and cells of tables: these too. */
const MOST_ITEMS = 1500
const MOST_LINES = 1500
const MOST_CELLS = 3000
const ITEM = /(?<=^|[ \t>])(?:[-+*]|\d{1,9}[.)])(?=[ \t])/gm
/** Marks and blanks with which a line says in how many lists and quotes it is: no answer needs so many. */
const DEEP = /^(?:[ \t>]|(?:[-+*]|\d{1,9}[.)])(?=[ \t>])){80}/m

/** Parts of a document that hold blocks; HTML in any other is within a line. */
const HOLDS_BLOCKS = new Set(['root', 'blockquote', 'listItem', 'footnoteDefinition'])

/**
 * Makes an answer of a model fit to be shown: Markdown (GFM) in which nothing leads away from the site. A model that was
 * talked into it by a text that it read could put what it knows into the address of an image, which browsers fetch
 * unasked, or of a link. So images and links of other hosts become code, as does HTML: to be read, not loaded or clicked.
 *
 * @param siteUrl public origin of the site
 */
export function createSafeReply(siteUrl: string): (markdown: string) => Promise<string> {
  const { origin } = new URL(siteUrl)
  // Loaded with the first answer: a start need not wait for it.
  let opened: ReturnType<typeof openMarkdown> | undefined

  const leadsAway = (address: string) => URL.parse(address, siteUrl)?.origin !== origin

  return async (markdown) => {
    opened ??= openMarkdown()
    const { processor, visit, textOf } = await opened
    const text = cutText(markdown, LONGEST_REPLY).replaceAll('\0', '')
    const asCode = () => processor.stringify({ type: 'root', children: [{ type: 'code', value: text }] }).trimEnd()
    if (isCostly(text)) return asCode()
    try {
      const tree = processor.parse(text)
      const foreign = new Map<string, string>()
      const defined = new Set<string>()
      visit(tree, 'definition', (node) => {
        // The first of a name counts.
        if (!defined.has(node.identifier) && leadsAway(node.url)) foreign.set(node.identifier, node.url)
        defined.add(node.identifier)
        if (leadsAway(node.url)) node.url = '#'
      })
      visit(tree, (node, _index, parent) => {
        if (node.type === 'html') {
          Object.assign(node, { type: HOLDS_BLOCKS.has(parent?.type ?? 'root') ? 'code' : 'inlineCode' })
        } else if (node.type === 'link' || node.type === 'image') {
          if (leadsAway(node.url)) Object.assign(node, code(textOf(node), node.url))
        } else if (node.type === 'linkReference' || node.type === 'imageReference') {
          const url = foreign.get(node.identifier)
          if (url !== undefined) Object.assign(node, code(textOf(node), url))
        }
      })
      return processor.stringify(tree).trimEnd()
    } catch (error) {
      // Nested deeper than the stack.
      if (!(error instanceof RangeError)) throw error
      return asCode()
    }
  }
}

/** Whether parsing it would keep the whole site waiting: a text that a model read may have made it write so. */
function isCostly(text: string): boolean {
  const limits = [
    [MARKS, MOST_MARKS],
    [ITEM, MOST_ITEMS],
    [/[\n\r]/g, MOST_LINES],
    [/\|/g, MOST_CELLS],
  ] as const
  return DEEP.test(text) || limits.some(([sign, most]) => (text.match(sign)?.length ?? 0) > most)
}

function code(label: string, url: string) {
  return { type: 'inlineCode', value: label === '' || url.endsWith(label) ? url : `${label} ${url}` }
}

async function openMarkdown() {
  const [{ remark }, { default: gfm }, { visit }, { toString: textOf }] = await Promise.all([
    import('remark'),
    import('remark-gfm'),
    import('unist-util-visit'),
    import('mdast-util-to-string'),
  ])
  return { processor: remark().use(gfm).freeze(), visit, textOf }
}
