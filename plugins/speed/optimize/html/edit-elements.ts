import { type HtmlElement, type MutableElement, PROTECTING, parseElements, within } from './elements.ts'

/** A change of the source: the range from `start` to `end` (exclusive) is replaced by `text`. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
  /** Order of edits at the same position: after an element, before the next one, the next one itself. */
  readonly rank: 0 | 1 | 2
  /** The element whose content changes; `undefined` if it is not in the source. */
  readonly parent: HtmlElement | undefined
  /** The element whose opening tag changes; `parent` is irrelevant then. */
  readonly tag?: HtmlElement
}

/** Elements that neither close others implicitly nor are closed implicitly, wherever they are inserted or removed. */
const NEUTRAL = new Set('link style script meta picture source img noscript'.split(' '))
const VOID = new Set('area base br col embed hr img input link meta source track wbr'.split(' '))
/** Elements whose content is text, whatever it looks like. */
const TEXT_ONLY = new Set('script style title textarea xmp iframe noembed noframes plaintext'.split(' '))

/**
 * The elements of a page after edits, as `parseElements(result)` returns them, without parsing all of it again:
 * positions are shifted, and only changed tags and inserted HTML are parsed.
 *
 * @param elements of the page before the edits; they are reused and changed
 * @param edits in order, not overlapping
 * @param result the edited page
 * @returns `undefined` if an edit may change how the rest of the page is parsed. The elements are unchanged then.
 */
export function editElements(
  elements: readonly MutableElement[],
  edits: readonly Edit[],
  result: string,
): MutableElement[] | undefined {
  const [root] = elements
  // Such a page may end within a tag.
  if (!root || isOpenEnded(root)) return undefined
  const shift = createShift(edits)
  const inserted = insertedElements(edits)
  const tags = changedTags(edits, shift, result)
  const remaining = inserted && tags && withoutReplaced(elements, edits)
  if (!remaining) return undefined
  for (const element of remaining) {
    element.start = shift.after(element.start)
    element.contentStart = shift.before(element.contentStart)
    // A void element has no content that something could be inserted into.
    element.contentEnd = isOpenEnded(element) ? shift.before(element.contentEnd) : shift.after(element.contentEnd)
    element.end = shift.before(element.end)
    element.attributes = tags.get(element) ?? element.attributes
  }
  return inserted.length === 0 ? remaining : [...remaining, ...inserted].sort((a, b) => a.start - b.start)
}

/** Maps positions of the old page to the new one: before or after what is inserted at the same position. */
function createShift(edits: readonly Edit[]): { before(at: number): number; after(at: number): number } {
  const deltas = [0]
  for (const { start, end, text } of edits) deltas.push((deltas.at(-1) ?? 0) + text.length - (end - start))
  /** Number of edits that end before a position, or up to it. */
  const count = (at: number, isInclusive: boolean) => {
    let [low, high] = [0, edits.length]
    while (low < high) {
      const middle = (low + high) >> 1
      const end = edits[middle]?.end ?? 0
      if (end < at || (isInclusive && end === at)) low = middle + 1
      else high = middle
    }
    return low
  }
  return {
    before(at) {
      const passed = count(at, false)
      const next = edits[passed]
      const isReplacement = next?.end === at && next.start < at
      return at + (deltas[isReplacement ? passed + 1 : passed] ?? 0)
    },
    after: (at) => at + (deltas[count(at, true)] ?? 0),
  }
}

/** Elements in the texts of the edits, with their positions in the new page. */
function insertedElements(edits: readonly Edit[]): MutableElement[] | undefined {
  const inserted: MutableElement[] = []
  let delta = 0
  for (const edit of edits) {
    const elements = edit.tag ? [] : elementsIn(edit, edit.start + delta)
    if (!elements) return undefined
    inserted.push(...elements)
    delta += edit.text.length - (edit.end - edit.start)
  }
  return inserted
}

function elementsIn({ text, parent }: Edit, at: number): MutableElement[] | undefined {
  if (text === '') return []
  if (!parent || VOID.has(parent.name) || isForeign(parent)) return undefined
  if (TEXT_ONLY.has(parent.name)) return text.toLowerCase().includes(`</${parent.name}`) ? undefined : []
  const elements = parseElements(text)
  if (!isSelfContained(elements, text)) return undefined
  for (const element of elements) {
    const outer = element.parent ?? parent
    element.parent = outer
    element.surroundings = within(outer)
    element.isProtected = outer.isProtected || element.attributes.has(PROTECTING)
    element.start += at
    element.contentStart += at
    element.contentEnd += at
    element.end += at
  }
  return elements
}

/** Whether the text is parsed in the same way everywhere and has no effect on what follows it. */
function isSelfContained(elements: readonly HtmlElement[], text: string): boolean {
  let expected = 0
  for (const element of elements) {
    const isVoid = VOID.has(element.name)
    if (!NEUTRAL.has(element.name) || (!isVoid && isOpenEnded(element))) return false
    expected += isVoid ? 1 : 2
    if (TEXT_ONLY.has(element.name)) expected += countTagStarts(text.slice(element.contentStart, element.contentEnd))
  }
  // Any other `<` is a comment or a stray end tag, which may close an outer element.
  return countTagStarts(text) === expected
}

function countTagStarts(text: string): number {
  return text.split('<').length - 1
}

/** New attributes of the elements whose tags are edited. */
function changedTags(
  edits: readonly Edit[],
  shift: ReturnType<typeof createShift>,
  result: string,
): Map<HtmlElement, HtmlElement['attributes']> | undefined {
  const changed = new Map<HtmlElement, HtmlElement['attributes']>()
  for (const { tag } of edits) {
    if (!tag || changed.has(tag)) continue
    const [parsed] = parseElements(result.slice(shift.after(tag.start), shift.before(tag.contentStart)))
    const isOrdinary = !isForeign(tag) && parsed?.attributes.has(PROTECTING) === tag.attributes.has(PROTECTING)
    if (!parsed || !isOrdinary) return undefined
    changed.set(tag, parsed.attributes)
  }
  return changed
}

/** `undefined` if something was replaced or inserted where the result may be parsed differently. */
function withoutReplaced(elements: readonly MutableElement[], edits: readonly Edit[]): MutableElement[] | undefined {
  const ranges = edits.filter(({ tag }) => !tag)
  const starts = new Set(ranges.map(({ start }) => start))
  const remaining: MutableElement[] = []
  let next = 0
  for (const element of elements) {
    while ((ranges[next]?.end ?? Number.POSITIVE_INFINITY) <= element.start) next++
    const isReplaced = (ranges[next]?.start ?? Number.POSITIVE_INFINITY) <= element.start
    if (isReplaced && !NEUTRAL.has(element.name)) return undefined
    // What is inserted where an element ends without an end tag may become its content.
    if (isOpenEnded(element) && !VOID.has(element.name) && (isReplaced || starts.has(element.end))) return undefined
    if (!isReplaced) remaining.push(element)
  }
  return remaining
}

/** Whether it has no end tag. */
function isOpenEnded({ contentEnd, end }: HtmlElement): boolean {
  return contentEnd === end
}

/** Whether it is in SVG or MathML, which have rules of their own. */
function isForeign({ name, surroundings }: HtmlElement): boolean {
  return ['svg', 'math'].some((foreign) => name === foreign || surroundings.has(foreign))
}
