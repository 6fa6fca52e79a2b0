/** Finds the prose that people read in a file: texts in TypeScript, Markdown and templates, without the code in them. */
import { remark } from 'remark'
import remarkGfm from 'remark-gfm'
import ts from 'typescript'
import { visit } from 'unist-util-visit'

export interface Prose {
  readonly text: string
  /** From 1. */
  readonly line: number
}

const markdown = remark().use(remarkGfm)

/** The prose of a file, by the ending of its name. Other files than `.ts`, `.tsx`, `.md` and `.eta` have none. */
export function proseOf(name: string, content: string): readonly Prose[] {
  if (/\.tsx?$/.test(name)) return inTypeScript(name, content)
  if (name.endsWith('.md')) return inMarkdown(content)
  if (name.endsWith('.eta')) return inTemplate(content)
  return []
}

/** Functions and properties whose text people read, even where it is one word in lower case. */
const TRANSLATES = /^_(_|x|n|nx)$/
const SHOWN = /^(title|label|description|summary|message|text|help|placeholder|error)$/

/** String literals, templates and JSX texts. Elsewhere a single word in lower case is a name or a value, and no prose. */
function inTypeScript(name: string, content: string): readonly Prose[] {
  const source = ts.createSourceFile(name, content, ts.ScriptTarget.Latest, true)
  const found: Prose[] = []
  const add = (node: ts.Node, text: string) => {
    const prose = withoutCode(text)
    if (!/^\s*\p{Lu}|\p{L}\S*\s+\S*\p{L}/u.test(prose) && !isShown(node.parent)) return
    found.push({ text: prose, line: source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1 })
  }
  const look = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isTypeNode(node)) return
    // SQL, and other languages that a tag names.
    if (ts.isTaggedTemplateExpression(node) || isKeyName(node)) return
    if (ts.isStringLiteralLike(node)) add(node, node.text)
    else if (ts.isJsxText(node)) add(node, node.text)
    else if (ts.isTemplateExpression(node)) {
      add(node, node.head.text + node.templateSpans.map((span) => `…${span.literal.text}`).join(''))
    }
    ts.forEachChild(node, look)
  }
  look(source)
  return found
}

/** The purpose of a derived key is stored data, not text. */
function isKeyName(node: ts.Node): boolean {
  return (
    ts.isCallExpression(node) &&
    ts.isPropertyAccessExpression(node.expression) &&
    node.expression.name.text === 'derive'
  )
}

function isShown(parent: ts.Node): boolean {
  if (ts.isCallExpression(parent)) return ts.isIdentifier(parent.expression) && TRANSLATES.test(parent.expression.text)
  if (ts.isPropertyAssignment(parent)) return ts.isIdentifier(parent.name) && SHOWN.test(parent.name.text)
  return ts.isJsxElement(parent) || ts.isJsxFragment(parent)
}

/** Paragraphs, headings, list items and table cells: everything but code and HTML. */
function inMarkdown(content: string): readonly Prose[] {
  const found: Prose[] = []
  visit(markdown.parse(content), (node) => {
    if (node.type !== 'paragraph' && node.type !== 'heading' && node.type !== 'tableCell') return
    let text = ''
    visit(node, (part) => {
      if (part.type === 'text') text += part.value
      else if (part.type === 'inlineCode') text += '…'
      else if (part.type === 'image') text += part.alt ?? ''
    })
    found.push({ text, line: node.position?.start.line ?? 1 })
  })
  return found
}

/** What stands between the tags of an Eta template. */
function inTemplate(content: string): readonly Prose[] {
  return content.split('\n').map((line, at) => ({ text: line.replace(/<%.*?%>|<[^>]*>/g, '…'), line: at + 1 }))
}

/** Code that a text shows between backticks is no prose. */
function withoutCode(text: string): string {
  return text.replace(/`[^`]*`/g, '…')
}
