/** The error catalogue, made from every `new RestError(code, message, { status })` of the product. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

export interface DocumentedError {
  readonly code: string
  readonly status: string
  /** Messages as they stand in the code, `…` for what is filled in. */
  readonly messages: readonly string[]
  readonly files: readonly string[]
}

/** Every error code thrown below the given folders, sorted. */
export function collectErrors(root: string, folders: readonly string[] = ['core', 'plugins']): DocumentedError[] {
  const found = new Map<string, { code: string; status: string; messages: Set<string>; files: Set<string> }>()
  for (const file of folders.flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root }))) {
    const text = readFileSync(join(root, file), 'utf8')
    if (!text.includes('new RestError(')) continue
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
    const visit = (node: ts.Node): void => {
      if (ts.isNewExpression(node) && node.expression.getText(source) === 'RestError') {
        const [code, message, data] = node.arguments ?? []
        for (const literal of literals(code)) {
          const status = statusOf(data, source)
          const key = `${literal} ${status}`
          const entry = found.get(key) ?? { code: literal, status, messages: new Set(), files: new Set() }
          for (const sentence of literals(message)) entry.messages.add(sentence)
          found.set(key, { ...entry, files: entry.files.add(file) })
        }
      }
      ts.forEachChild(node, visit)
    }
    visit(source)
  }
  return [...found.values()]
    .map(({ code, status, messages, files }) => ({ code, status, messages: [...messages], files: [...files] }))
    .sort((a, b) => a.code.localeCompare(b.code) || a.status.localeCompare(b.status))
}

/** The texts an expression can be, as far as the source tells. */
function literals(node: ts.Node | undefined): string[] {
  if (!node) return []
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return [node.text]
  if (ts.isTemplateExpression(node)) {
    return [node.head.text + node.templateSpans.map((span) => `…${span.literal.text}`).join('')]
  }
  if (ts.isConditionalExpression(node)) return [...literals(node.whenTrue), ...literals(node.whenFalse)]
  return []
}

function statusOf(data: ts.Node | undefined, source: ts.SourceFile): string {
  if (!data || !ts.isObjectLiteralExpression(data)) return ''
  for (const property of data.properties) {
    if (property.name?.getText(source) !== 'status') continue
    if (!ts.isPropertyAssignment(property)) return 'varies'
    const { initializer } = property
    if (ts.isNumericLiteral(initializer)) return initializer.text
    if (ts.isConditionalExpression(initializer)) {
      return [initializer.whenTrue, initializer.whenFalse].map((branch) => branch.getText(source)).join(' or ')
    }
    return 'varies'
  }
  return ''
}

/** The catalogue as Markdown. */
export function errorCatalogue(errors: readonly DocumentedError[]): string {
  const rows = errors.map(
    ({ code, status, messages, files }) =>
      `| \`${code}\` | ${status} | ${messages.map((message) => message.replaceAll('|', '\\|')).join('<br>')} | ${files.map((file) => `\`${file}\``).join('<br>')} |`,
  )
  return `${[
    '# Error catalogue',
    '',
    'Made by `npm run docs` from the code; do not edit. Every refusal below `/wp-json` has the shape',
    '`{ "code", "message", "data": { "status", … } }`. `…` stands for what the request named.',
    '',
    '| Code | Status | Message | Thrown in |',
    '|---|---|---|---|',
    ...rows,
  ].join('\n')}\n`
}
