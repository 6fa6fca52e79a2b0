/** Formatting elements, which may be nested in any order. */
const MARKS: Readonly<Record<string, string>> = {
  ...{ STRONG: 'strong', B: 'strong', EM: 'em', I: 'em', U: 'u', S: 's', STRIKE: 's', CODE: 'code', A: 'a' },
}
/** Elements in which a single paragraph, optionally followed by lists, is equivalent to its text. */
const UNWRAPPED = new Set(['LI', 'TD', 'TH'])
const LISTS = new Set(['UL', 'OL'])
const INLINE = new Set([
  ...Object.keys(MARKS),
  'BR',
  'IMG',
  'SPAN',
  'SUB',
  'SUP',
  'MARK',
  'SMALL',
  'KBD',
  'ABBR',
  'CITE',
  'Q',
])

/** Whether two HTML strings are equivalent: whitespace between blocks and the order of attributes don't matter. */
export function isSameHtml(one: ParentNode, other: ParentNode): boolean {
  return describe(one) === describe(other)
}

function describe(root: ParentNode): string {
  const said: string[] = []
  for (const child of contentOf(root)) tell(child, [], said, false)
  return tidy(said).join('\n')
}

function tell(node: Node, marks: readonly string[], said: string[], isVerbatim: boolean): void {
  if (node instanceof Comment) {
    said.push(`<!--${node.data.trim()}-->`)
  } else if (node instanceof Text) {
    const text = isVerbatim ? node.data : node.data.replace(/[ \t\r\n]+/g, ' ')
    if (text !== '') said.push(`text${[...marks].sort().join('')}:${text}`)
  } else if (node instanceof HTMLElement || node instanceof Element) {
    tellElement(node, marks, said, isVerbatim)
  }
}

function tellElement(element: Element, marks: readonly string[], said: string[], isVerbatim: boolean): void {
  const mark = MARKS[element.tagName]
  const attributes = attributesOf(element)
  if (mark !== undefined) {
    for (const child of element.childNodes) tell(child, [...marks, `<${mark}${attributes}>`], said, isVerbatim)
    return
  }
  const isInline = INLINE.has(element.tagName)
  said.push(
    `${isInline ? 'inline' : 'block'}<${element.localName}${attributes}>${isInline ? marks.toSorted().join('') : ''}`,
  )
  const verbatim = isVerbatim || element.tagName === 'PRE' || element.tagName === 'SCRIPT'
  for (const child of contentOf(element)) tell(child, isInline ? marks : [], said, verbatim)
  if (element.childNodes.length > 0) said.push(isInline ? 'inline/' : 'block/')
}

/** The children, or those of the only paragraph around them. */
function contentOf(parent: ParentNode): readonly Node[] {
  const children = [...parent.childNodes].filter(
    (child) => !(child instanceof Text) || child.data.trim() !== '' || isBetweenWords(child),
  )
  const paragraph = parent instanceof Element ? onlyParagraph(parent) : undefined
  return paragraph ? children.flatMap((child) => (child === paragraph ? [...child.childNodes] : [child])) : children
}

/** The paragraph of a list item or cell, optionally followed by lists. */
export function onlyParagraph(element: Element): Element | undefined {
  const [first, ...others] = element.children
  const isAlone =
    first?.tagName === 'P' && first.attributes.length === 0 && others.every(({ tagName }) => LISTS.has(tagName))
  const hasText = [...element.childNodes].some((node) => node instanceof Text && node.data.trim() !== '')
  return UNWRAPPED.has(element.tagName) && isAlone && !hasText ? first : undefined
}

function isBetweenWords(blank: Text): boolean {
  const isInline = (node: Node | null) => node instanceof Text || (node instanceof Element && INLINE.has(node.tagName))
  return isInline(blank.previousSibling) && isInline(blank.nextSibling)
}

function attributesOf(element: Element): string {
  return [...element.attributes]
    .map(({ name, value }): [string, string] => [name, comparable(name, value)])
    .filter(([name, value]) => !((name === 'class' || name === 'style') && value === ''))
    .map(([name, value]) => ` ${name}="${value}"`)
    .sort()
    .join('')
}

function comparable(name: string, value: string): string {
  if (name === 'class') return value.split(/\s+/).filter(Boolean).sort().join(' ')
  if (name !== 'style') return value
  const rules = value.split(';').map((rule) => rule.replace(/\s*:\s*/, ':').trim())
  return rules.filter(Boolean).sort().join(';')
}

/** Merges adjacent texts with the same formatting; whitespace at the ends of a block is not visible. */
function tidy(said: readonly string[]): string[] {
  const joined: string[] = []
  for (const one of said) {
    const [before, kind] = [joined.at(-1), textKind(one)]
    if (before !== undefined && kind !== undefined && textKind(before) === kind)
      joined[joined.length - 1] = before + one.slice(kind.length)
    else joined.push(one)
  }
  const isEdge = (one: string | undefined) => one === undefined || one.startsWith('block') || one.startsWith('<!--')
  return joined
    .map((one, at) => {
      const kind = textKind(one)
      if (kind === undefined) return one
      const start =
        isEdge(joined[at - 1]) || joined[at - 1]?.startsWith('inline<br')
          ? one.slice(kind.length).trimStart()
          : one.slice(kind.length)
      const text = (
        isEdge(joined[at + 1]) || joined[at + 1]?.startsWith('inline<br') ? start.trimEnd() : start
      ).replace(/ +/g, ' ')
      return text === '' ? '' : kind + text
    })
    .filter((one) => one !== '')
}

const textKind = (said: string) => /^text[^:]*?(?:<[^>]*>)*:/.exec(said)?.[0]
