import { parse as parseSelector, type Selector } from 'css-what'
import postcss, { type AtRule, type Root, type Rule } from 'postcss'

/** Element names (lower case), classes and ids of a page. Structured-cloneable. */
export interface PageTokens {
  readonly names: readonly string[]
  readonly classes: readonly string[]
  readonly ids: readonly string[]
}

type Known = Readonly<Record<keyof PageTokens, ReadonlySet<string>>>

/** States that do not apply on first render. */
const LATER = new Set(['hover', 'active', 'selection', '-moz-selection'])
/** Pseudo-classes with a list of alternative selectors. */
const ANY = new Set(['is', 'where', 'matches', '-webkit-any', '-moz-any'])

/**
 * The rules of a sheet that may apply on first render: those with a selector whose names, classes and ids all occur in
 * the page. Combinators are ignored, so the result is the same for all pages with the same names, classes and ids, and
 * never lacks a rule. Everything else in the sheet is unchanged.
 *
 * @returns `undefined` if the sheet is invalid or imports other sheets
 */
export function criticalRules(css: string, tokens: PageTokens): string | undefined {
  let root: Root
  try {
    root = postcss.parse(css)
  } catch {
    return undefined
  }
  const known = { names: new Set(tokens.names), classes: new Set(tokens.classes), ids: new Set(tokens.ids) }
  let isComplete = true
  root.walkAtRules(/^import$/i, () => {
    isComplete = false
  })
  if (!isComplete) return undefined
  root.walkComments((comment) => {
    comment.remove()
  })
  root.walkRules((rule) => keepUsedSelectors(rule, known))
  root.walkAtRules(/^media$/i, (rule) => {
    if (/^\s*print\s*$/i.test(rule.params)) rule.remove()
  })
  removeEmpty(root)
  removeUnnamed(root)
  return root.toString()
}

function keepUsedSelectors(rule: Rule, known: Known): void {
  // `from` and `50%` are not selectors; a nested rule applies where its parent does.
  if (rule.parent?.type === 'rule' || (rule.parent instanceof postcss.AtRule && /keyframes$/i.test(rule.parent.name)))
    return
  const used = rule.selectors.filter((selector) => mayApply(selector, known))
  if (used.length === 0) rule.remove()
  else if (used.length < rule.selectors.length) rule.selectors = used
}

function mayApply(text: string, known: Known): boolean {
  try {
    return parseSelector(text).some((selector) => selector.every((part) => mayMatch(part, known)))
  } catch {
    return true
  }
}

function mayMatch(part: Selector, known: Known): boolean {
  switch (part.type) {
    case 'tag':
      return known.names.has(part.name.toLowerCase())
    case 'attribute':
      if (part.name === 'class' && part.action === 'element') return known.classes.has(part.value)
      return part.name === 'id' && part.action === 'equals' ? known.ids.has(part.value) : true
    case 'pseudo-element':
      return !LATER.has(part.name)
    case 'pseudo':
      if (LATER.has(part.name)) return false
      if (!ANY.has(part.name) || !Array.isArray(part.data)) return true
      return part.data.some((selector) => selector.every((inner) => mayMatch(inner, known)))
    default:
      return true
  }
}

/** Removes `@media`, `@supports` and others without rules. An empty `@layer` still defines the layer order. */
function removeEmpty(root: Root): void {
  root.walkAtRules((rule) => {
    if (rule.nodes && rule.nodes.length > 0) return
    let empty: AtRule | undefined = rule.nodes && rule.name.toLowerCase() !== 'layer' ? rule : undefined
    while (empty) {
      const parent: unknown = empty.parent
      empty.remove()
      empty =
        parent instanceof postcss.AtRule && parent.name !== 'layer' && parent.nodes?.length === 0 ? parent : undefined
    }
  })
}

/** Removes fonts and animations that no remaining rule uses. */
function removeUnnamed(root: Root): void {
  let values = ''
  root.walkDecls(({ prop, value, parent }) => {
    if (!(parent instanceof postcss.AtRule && parent.name === 'font-face')) values += `${prop}:${value.toLowerCase()};`
  })
  root.walkAtRules(/font-face$|keyframes$/i, (rule) => {
    let name = rule.params
    rule.walkDecls('font-family', ({ value }) => {
      if (rule.name === 'font-face') name = value
    })
    if (!values.includes(name.replace(/^["'\s]+|["'\s]+$/g, '').toLowerCase())) rule.remove()
  })
}
