/** The hook reference, made from the docblocks where hooks are declared (`hooks.ts` of each folder). */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

const KINDS = {
  Actions: 'action',
  AsyncActions: 'action, async',
  Filters: 'filter',
  AsyncFilters: 'filter, async',
} as const

/** Where the interfaces themselves stand, with the hook of the registry itself. */
const HOME = 'core/hooks/names.ts'

export interface DocumentedHook {
  readonly name: string
  readonly kind: (typeof KINDS)[keyof typeof KINDS]
  /** As in the declaration: `content: string, post: Post`. */
  readonly parameters: string
  readonly description: string
  readonly tags: readonly { readonly name: string; readonly text: string }[]
  /** File that declares it, from the root of the project. */
  readonly file: string
}

/** Every hook declared below the given folders, sorted by name. */
export function collectHooks(
  root: string,
  folders: readonly string[] = ['core', 'cms', 'plugins', 'extensions'],
): DocumentedHook[] {
  const files = folders.flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root }))
  return files.flatMap((file) => hooksOf(root, file)).sort((a, b) => a.name.localeCompare(b.name))
}

function hooksOf(root: string, file: string): DocumentedHook[] {
  const text = readFileSync(join(root, file), 'utf8')
  if (!text.includes('declare module') && file !== HOME) return []
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const declarations = [...source.statements, ...source.statements.flatMap(statementsOfModule)]
  return declarations.filter(ts.isInterfaceDeclaration).flatMap((declaration) => {
    const { text: name } = declaration.name
    return isKind(name) ? declaration.members.map((member) => describe(member, KINDS[name], file, source)) : []
  })
}

function statementsOfModule(statement: ts.Statement): readonly ts.Statement[] {
  if (!ts.isModuleDeclaration(statement) || !statement.body || !ts.isModuleBlock(statement.body)) return []
  return statement.body.statements
}

function isKind(name: string): name is keyof typeof KINDS {
  return name in KINDS
}

function describe(
  member: ts.TypeElement,
  kind: DocumentedHook['kind'],
  file: string,
  source: ts.SourceFile,
): DocumentedHook {
  const [name, type] = nameAndType(member, source)
  const parameters =
    type && ts.isTupleTypeNode(type) ? type.elements.map((part) => part.getText(source)).join(', ') : ''
  const blocks = ts.getJSDocCommentsAndTags(member).filter(ts.isJSDoc)
  return {
    name,
    kind,
    parameters,
    description: blocks.map((block) => ts.getTextOfJSDocComment(block.comment) ?? '').join('\n'),
    tags: blocks
      .flatMap((block) => [...(block.tags ?? [])])
      .map((tag) => ({ name: tag.tagName.text, text: textOf(tag) })),
    file,
  }
}

function nameAndType(member: ts.TypeElement, source: ts.SourceFile): [string, ts.TypeNode | undefined] {
  if (ts.isIndexSignatureDeclaration(member)) {
    const key = member.parameters[0]?.type?.getText(source) ?? ''
    return [key.replaceAll('`', '').replace(/\$\{[^}]*\}/g, '{…}'), member.type]
  }
  const name = member.name && (ts.isStringLiteral(member.name) ? member.name.text : member.name.getText(source))
  return [name ?? '', ts.isPropertySignature(member) ? member.type : undefined]
}

function textOf(tag: ts.JSDocTag): string {
  const comment = ts.getTextOfJSDocComment(tag.comment) ?? ''
  return ts.isJSDocParameterTag(tag) ? `\`${tag.name.getText()}\` ${comment.replace(/^-?\s*/, '')}` : comment
}

/** The reference as Markdown. */
export function hookReference(hooks: readonly DocumentedHook[]): string {
  const lines = [
    '# Hook reference',
    '',
    'Made by `npm run docs` from the docblocks where the hooks are declared; do not edit.',
    'Async hooks may have async callbacks; callbacks of the others must return at once.',
    '',
    '| Hook | Kind | Arguments |',
    '|---|---|---|',
    ...hooks.map((hook) => `| [\`${hook.name}\`](#${anchor(hook.name)}) | ${hook.kind} | ${cell(hook.parameters)} |`),
    '',
  ]
  for (const hook of hooks) lines.push(...section(hook))
  return `${lines.join('\n').trimEnd()}\n`
}

function section(hook: DocumentedHook): string[] {
  const callback = hook.kind.startsWith('filter') ? 'addFilter' : 'addAction'
  const named = (tag: string) => hook.tags.filter(({ name }) => name === tag)
  return [
    `<a id="${anchor(hook.name)}"></a>`,
    '',
    `## \`${hook.name}\``,
    '',
    `${hook.kind} · \`${callback}('${hook.name}', (${hook.parameters}) => …)\` · declared in \`${hook.file}\``,
    '',
    hook.description.trim(),
    '',
    ...named('param').map(({ text }) => `- ${text.trim()}`),
    ...(named('param').length > 0 ? [''] : []),
    ...named('example').flatMap(({ text }) => [text.trim(), '']),
  ]
}

const anchor = (name: string) => name.replace(/[^a-zA-Z0-9_-]+/g, '-')
const cell = (text: string) => (text ? `\`${text.replaceAll('|', '\\|').replace(/\s+/g, ' ')}\`` : '')
