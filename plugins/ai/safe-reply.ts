import { cutText } from './cut-text.ts'

/** Maximum length of a reply that is shown. */
const LONGEST_REPLY = 32_000

/** Maximum number of possible Markdown marks: parsing them takes more than linear time. */
const MOST_MARKS = 1500
const MARKS = /[*_~[\]<>`]/g

/** Maximum number of list items, lines and table cells. */
const MOST_ITEMS = 1500
const MOST_LINES = 1500
const MOST_CELLS = 3000
const ITEM = /(?<=^|[ \t>])(?:[-+*]|\d{1,9}[.)])(?=[ \t])/gm
/** Maximum nesting of lists and quotes in a line. */
const DEEP = /^(?:[ \t>]|(?:[-+*]|\d{1,9}[.)])(?=[ \t>])){80}/m

/** Nodes that contain blocks; HTML in any other node is inline. */
const HOLDS_BLOCKS = new Set(['root', 'blockquote', 'listItem', 'footnoteDefinition'])

/**
 * Makes a reply of a model safe to show: Markdown (GFM) without external links or images. A model misled by injected
 * text could leak data in the URL of an image, which browsers fetch automatically, or of a link. External images and
 * links, and HTML, become code.
 * @param siteUrl public origin of the site
 */
export function createSafeReply(siteUrl: string): (markdown: string) => Promise<string> {
  const { origin } = new URL(siteUrl)
  // Loaded with the first reply.
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
        // The first definition of a name wins.
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
      // Nested too deeply.
      if (!(error instanceof RangeError)) throw error
      return asCode()
    }
  }
}

/** Whether parsing could block the event loop: injected text may have provoked such a reply. */
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
