/** What an expression of the source can be, as far as reading it tells. */
import ts from 'typescript'
import { isFunction, type SourceCode, visitAll } from './source-code.ts'

/** What the parameters of functions stand for on one way through their calls; `undefined` where nobody can tell. */
export type Bindings = ReadonlyMap<ts.Symbol, ts.Expression | undefined>

/** Stands for what is known only when the program runs. */
const FILLED_IN = '…'

export interface Texts {
  /** The texts or numbers an expression can be; `…` for the parts of one that are filled in; none: no telling. */
  of(expression: ts.Node | undefined, bindings: Bindings): readonly string[]
  /** The object literal an expression is. */
  objectOf(expression: ts.Node | undefined, bindings: Bindings): ts.ObjectLiteralExpression | undefined
  /** A parameter that decides what the expression is and that the bindings don't have. */
  freeParameter(expression: ts.Node | undefined, bindings: Bindings): ts.ParameterDeclaration | undefined
}

export function createTexts({ symbolOf, functionOf }: SourceCode): Texts {
  /** Where the value of a name is written. */
  function origin(name: ts.Identifier, bindings: Bindings): ts.Expression | undefined {
    const symbol = symbolOf(name)
    if (!symbol) return undefined
    if (bindings.has(symbol)) return bindings.get(symbol)
    const declaration = symbol.valueDeclaration
    return declaration && ts.isVariableDeclaration(declaration) ? declaration.initializer : undefined
  }

  function of(node: ts.Node | undefined, bindings: Bindings): readonly string[] {
    if (!node) return []
    if (ts.isStringLiteralLike(node) || ts.isNumericLiteral(node)) return [node.text]
    if (ts.isTemplateExpression(node)) {
      return [
        node.templateSpans.reduce(
          (text, span) => text + only(span.expression, bindings) + span.literal.text,
          node.head.text,
        ),
      ]
    }
    if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
      return [only(node.left, bindings) + only(node.right, bindings)]
    }
    if (ts.isIdentifier(node)) return of(origin(node, bindings), bindings)
    const sentences = joinedSentences(node)
    if (sentences) return [sentences.map((item) => only(item, bindings)).join(' ')]
    const translated = translatedText(node)
    if (translated !== undefined) return [translated.replace(/%(?:\d+\$)?s/g, FILLED_IN)]
    const called = ts.isCallExpression(node) ? functionOf(node.expression) : undefined
    return (called ? returnsOf(called) : branches(node)).flatMap((branch) => of(branch, bindings))
  }

  function only(node: ts.Node, bindings: Bindings): string {
    const [text, ...others] = of(node, bindings)
    return text === undefined || others.length > 0 ? FILLED_IN : text
  }

  return {
    of: (node, bindings) => [...new Set(of(node, bindings))],
    objectOf(node, bindings) {
      const value = node && ts.isIdentifier(node) ? origin(node, bindings) : node
      return value && ts.isObjectLiteralExpression(value) ? value : undefined
    },
    freeParameter: function free(node, bindings): ts.ParameterDeclaration | undefined {
      if (!node) return undefined
      if (!ts.isIdentifier(node)) return first(branches(node), (branch) => free(branch, bindings))
      const symbol = symbolOf(node)
      const declaration = symbol?.valueDeclaration
      if (symbol && declaration && ts.isParameter(declaration) && !bindings.has(symbol)) return declaration
      return free(origin(node, bindings), bindings)
    },
  }
}

/** The values an expression chooses from. */
function branches(node: ts.Node): readonly ts.Expression[] {
  if (ts.isConditionalExpression(node)) return [node.whenTrue, node.whenFalse]
  if (ts.isParenthesizedExpression(node) || ts.isSatisfiesExpression(node)) return [node.expression]
  const chooses = [ts.SyntaxKind.QuestionQuestionToken, ts.SyntaxKind.BarBarToken]
  if (ts.isBinaryExpression(node) && chooses.includes(node.operatorToken.kind)) return [node.left, node.right]
  return []
}

/** The sentences of `[first, ...others].join(' ')`. Other separators join values, such as the allowed ones, which are `…`. */
function joinedSentences(node: ts.Node): readonly ts.Expression[] | undefined {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined
  const { expression: list, name } = node.expression
  const [separator] = node.arguments
  if (name.text !== 'join' || !ts.isArrayLiteralExpression(list)) return undefined
  return separator && ts.isStringLiteral(separator) && separator.text === ' ' ? list.elements : undefined
}

/** The English text of `__('The email could not be sent: %s', reason)`. */
function translatedText(node: ts.Node): string | undefined {
  if (!ts.isCallExpression(node) || !ts.isIdentifier(node.expression) || node.expression.text !== '__') return undefined
  const [text] = node.arguments
  return text && ts.isStringLiteralLike(text) ? text.text : undefined
}

function returnsOf(called: ts.FunctionLikeDeclaration): readonly ts.Expression[] {
  const { body } = called
  if (!body) return []
  if (!ts.isBlock(body)) return [body]
  const found: ts.Expression[] = []
  visitAll(body, (node) => {
    if (!ts.isReturnStatement(node) || !node.expression) return
    if (ts.findAncestor(node, isFunction) === called) found.push(node.expression)
  })
  return found
}

function first<Item, Found>(items: readonly Item[], look: (item: Item) => Found | undefined): Found | undefined {
  for (const item of items) {
    const found = look(item)
    if (found !== undefined) return found
  }
  return undefined
}
