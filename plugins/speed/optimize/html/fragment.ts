import { Parser } from 'htmlparser2'
import { type HtmlElement, PROTECTING, readAttributes, within } from './elements.ts'
import { createMinifier, type MinifierState, minifierStart } from './minifier.ts'

/** Maximum nesting; browsers have the same limit (allowed by HTML, 13.2.6.1). */
const DEEPEST = 512
/** Maximum number of elements and attributes of a page; typical pages have a tenth. */
export const MOST_PARTS = 50_000
/** Maximum nesting at the end of a fragment: the open elements are parsed again with the next one. */
const DEEPEST_END = 32
/** Elements in which a fragment may end: SVG and MathML have rules of their own. */
const ORDINARY_NAME = /^(?!(?:svg|math)$)[a-z][a-z0-9-]*$/
/** Stands for what follows a fragment: it starts a tag, and closes nothing. */
const NEXT = '<x-next>'

const NOWHERE: ReadonlySet<string> = new Set()
const CODE = new Set(['style', 'script'])

/** A page that is too expensive to process. */
export class PageTooComplex extends Error {}

/** An open element: what the elements in it depend on. */
type OpenElement = Pick<HtmlElement, 'name' | 'surroundings' | 'isProtected'>

/** Everything besides its text that determines how a fragment is parsed and minified. */
export interface Context {
  /** Equal for equal contexts. */
  readonly key: string
  /** From the outermost. */
  readonly open: readonly OpenElement[]
  readonly minifier: MinifierState
}

/** The context of the start of a page. */
export const START: Context = { key: '', open: [], minifier: minifierStart }

/** An element that starts in a fragment; positions are offsets in the fragment. */
export interface FragmentElement extends Omit<HtmlElement, 'parent'> {
  /** Index among the open elements of the context, followed by the elements of the fragment; -1 without a parent. */
  readonly parent: number
}

/** A part of a page that was parsed by itself: a head, a menu, an article, a footer. Pages share it, so it never changes. */
export interface Fragment {
  readonly text: string
  readonly context: Context
  /** Whether it was parsed as the end of a page. */
  readonly isLast: boolean
  readonly elements: readonly FragmentElement[]
  /** Indexes of the elements by name. */
  readonly byName: ReadonlyMap<string, readonly number[]>
  /** Number of elements and attributes. */
  readonly parts: number
  /** The elements of the context that end here, as indexes in it. */
  readonly closings: readonly { readonly index: number; readonly contentEnd: number; readonly end: number }[]
  /** The elements that are open at the end, from the outermost; numbered like parents. */
  readonly open: readonly number[]
  /** Context of what follows. */
  readonly after: Context
  readonly minified: string
}

/**
 * Parses and minifies a part of a page, in one walk. Invalid HTML is accepted.
 *
 * @returns `undefined` if the page cannot be divided here, for example because it is within a comment or script
 * @throws PageTooComplex if it is nested too deeply or has too many elements: each end tag is searched among all open
 *   elements
 */
export function parseFragment(context: Context, text: string, isLast: boolean): Fragment | undefined {
  // The open elements bring the parser into the state in which it reached this part.
  const prefix = context.open.map(({ name }) => `<${name}>`).join('')
  const offset = prefix.length
  const outer = context.open.length
  const elements: { -readonly [Key in keyof FragmentElement]: FragmentElement[Key] }[] = []
  const closings: Fragment['closings'][number][] = []
  /** The open elements with their numbers; -1 for an implied one. */
  const stack = context.open.map((element, number) => ({ element, number }))
  let parts = 0
  let isDivisible = false
  const isOutside = () => isDivisible || parser.endIndex < offset
  const count = () => {
    if (!isOutside() && ++parts > MOST_PARTS) throw new PageTooComplex('The page has too many elements.')
  }
  const minifier = createMinifier(text, context)
  /** The range of the current event. */
  const start = () => parser.startIndex - offset
  const end = () => parser.endIndex + 1 - offset

  const parser = new Parser(
    {
      onopentagname() {
        if (!isLast && start() === text.length) isDivisible = true
        count()
      },
      onattribute: count,
      onopentag(name, attributes, isImplied) {
        if (isOutside()) return
        if (stack.length >= DEEPEST) throw new PageTooComplex('The page is nested too deeply.')
        const parent = stack.at(-1)
        const element = {
          name,
          parent: parent?.number ?? -1,
          attributes: readAttributes(attributes, text.slice(start(), end())),
          surroundings: parent ? within(parent.element) : NOWHERE,
          isProtected: parent?.element.isProtected === true || Object.hasOwn(attributes, PROTECTING),
          start: start(),
          contentStart: end(),
          contentEnd: text.length,
          end: text.length,
          code: undefined,
        }
        // An implied tag (`</p>` alone opens one) has no position to edit.
        stack.push({ element, number: isImplied ? -1 : outer + elements.length })
        if (isImplied) return
        elements.push(element)
        minifier.open(name, attributes)
      },
      onclosetag(name, isImplied) {
        if (isOutside()) return
        minifier.close(name, isImplied)
        const closed = stack.pop()
        if (!closed) return
        const element = elements[closed.number - outer]
        const contentStart = element?.contentStart ?? 0
        // Without a closing tag, an element ends where the tag starts that closed it; a void element ends immediately.
        const isVoid = element !== undefined && end() === contentStart
        const isWritten = !isImplied && end() > contentStart
        // A page may end within a tag, which the parser closes without having opened it.
        const isKnown = closed.element.name === name
        const before = Math.min(Math.max(contentStart, start()), text.length)
        const contentEnd = isVoid ? contentStart : isKnown ? before : text.length
        const place = { contentEnd, end: isWritten ? end() : contentEnd }
        if (element) Object.assign(element, place)
        // Read once, since transforms look it up by its text.
        if (element && CODE.has(name)) element.code = text.slice(contentStart, contentEnd)
        else if (closed.number >= 0) closings.push({ index: closed.number, ...place })
      },
      ontext() {
        if (!isOutside()) minifier.text(start(), end())
      },
      oncomment(data) {
        if (!isOutside()) minifier.comment(data, start(), end())
      },
    },
    // Decoding entities in text would take half of the time and is not needed.
    { decodeEntities: false },
  )
  if (isLast) parser.end(prefix + text)
  else parser.write(prefix + text + NEXT)
  const open = stack.map(({ element }) => element)
  const isEnd = isLast || (isDivisible && open.length <= DEEPEST_END && open.every(isOrdinary))
  if (!isEnd) return undefined
  const { minified, state } = minifier.end()
  return {
    ...{ text, context, isLast, elements, parts, closings, minified },
    byName: Map.groupBy(elements.keys(), (index) => elements[index]?.name ?? ''),
    open: stack.map(({ number }) => number),
    after: isLast ? START : contextOf(open, state),
  }
}

function isOrdinary({ name }: OpenElement): boolean {
  return ORDINARY_NAME.test(name)
}

function contextOf(open: readonly OpenElement[], minifier: MinifierState): Context {
  const names = open.map(({ name, isProtected }) => (isProtected ? `${name}!` : name))
  return {
    key: `${minifier.exactFrom}${minifier.after} ${names.join(' ')}`,
    open: open.map(({ name, surroundings, isProtected }) => ({ name, surroundings, isProtected })),
    minifier,
  }
}
