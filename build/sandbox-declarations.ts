import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import ts from 'typescript'
import { hookProblem } from '../cms/sandbox/allowed-hooks.ts'
import { FOLDER } from './places.ts'

/** Only these hooks are declared, and those of the extension's own settings. */
const HOOKS = new Map<string, 'action' | 'filter'>([
  ['AsyncActions', 'action'],
  ['AsyncFilters', 'filter'],
])

/**
 * Writes the declarations of `pentad/sandbox` as a single file with only what they use, and with `unknown` in place of the types of Node and
 * of packages that use them: a single reference to Node's types would bring Node's globals and modules into the author's program.
 */
export async function writeSandboxDeclarations(): Promise<void> {
  const file = join(FOLDER, 'app/sandbox.d.ts')
  const program = ts.createProgram([file, join(FOLDER, 'app/index.d.ts')], {
    ...{
      target: ts.ScriptTarget.ESNext,
      lib: ['lib.esnext.d.ts'],
      module: ts.ModuleKind.NodeNext,
      strict: true,
      noEmit: true,
    },
  })
  const source = program.getSourceFile(file)
  const checker = program.getTypeChecker()
  const entry = source && checker.getSymbolAtLocation(source)
  if (!entry) throw new Error(`${file} has no declarations.`)
  /** Names in the file, which are unique. */
  const names = new Map<ts.Symbol, string>()
  const declarations: string[] = []
  let pickedTypes = 0

  /** The name of a symbol in the file. */
  function nameOf(symbol: ts.Symbol): string {
    const known = names.get(symbol)
    if (known !== undefined) return known
    const taken = new Set(names.values())
    let name = symbol.name
    for (let count = 2; taken.has(name); count++) name = `${symbol.name}${count}`
    names.set(symbol, name)
    return name
  }

  function symbolOf(node: ts.Node): ts.Symbol | undefined {
    const symbol = checker.getSymbolAtLocation(node)
    return symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
  }

  function isOwn(symbol: ts.Symbol | undefined): symbol is ts.Symbol {
    return symbol?.declarations?.[0]?.getSourceFile().fileName.startsWith(`${FOLDER}/`) ?? false
  }

  /** Whether a type can be named in the file. */
  function isAvailable(name: ts.Node): boolean {
    // The namespace of Zod.
    if (name.getText().startsWith('z.')) return true
    const symbol = symbolOf(name)
    const from = symbol?.declarations?.[0]?.getSourceFile()
    if (!symbol || !from) return false
    return isOwn(symbol) || program.isSourceFileDefaultLibrary(from)
  }

  /** The text of a node, with the names of the file. */
  function print(node: ts.Node): string {
    if (ts.isTypeReferenceNode(node) && node.typeName.getText() === 'Pick') {
      const picked = printPicked(node)
      return picked === undefined ? printChildren(node) : `{\n${picked}\n}`
    }
    if (ts.isExpressionWithTypeArguments(node) && node.expression.getText() === 'Pick') {
      const name = `Picked${++pickedTypes}`
      declarations.push(`interface ${name} {\n${printPicked(node)}\n}`)
      return name
    }
    if (ts.isTypeReferenceNode(node) && !isAvailable(node.typeName)) return 'unknown'
    if (ts.isImportTypeNode(node)) {
      const symbol = node.qualifier && symbolOf(node.qualifier)
      if (!isOwn(symbol)) return 'unknown'
      return (node.isTypeOf ? 'typeof ' : '') + nameOf(symbol) + printArguments(node.typeArguments)
    }
    if (ts.isIdentifier(node)) {
      const symbol = symbolOf(node)
      return isOwn(symbol) && symbol.flags & DECLARED ? nameOf(symbol) : node.text
    }
    return printChildren(node)
  }

  function printChildren(node: ts.Node): string {
    const { text } = node.getSourceFile()
    let result = ''
    let at = node.getStart()
    node.forEachChild((child) => {
      result += text.slice(at, child.getStart()) + print(child)
      at = child.end
    })
    return result + text.slice(at, node.end)
  }

  function printArguments(nodes: readonly ts.TypeNode[] | undefined): string {
    return nodes ? `<${nodes.map(print).join(', ')}>` : ''
  }

  /** The members that `Pick<ExtensionHost, 'id'>` picks: the other members of the interface are not written. `undefined` if they are not known. */
  function printPicked({ typeArguments }: ts.NodeWithTypeArguments): string | undefined {
    const [of, keys] = typeArguments ?? []
    if (!of || !keys) return undefined
    const type = checker.getTypeAtLocation(of)
    const picked = checker.getTypeAtLocation(keys)
    const members = (picked.isUnion() ? picked.types : [picked]).map((key) =>
      key.isStringLiteral() ? type.getProperty(key.value)?.declarations?.[0] : undefined,
    )
    return members.every((member) => member !== undefined) ? members.map(printWithComment).join('\n') : undefined
  }

  function printWithComment(node: ts.Node): string {
    const { text } = node.getSourceFile()
    return text.slice(node.getFullStart(), node.getStart()).trimStart() + print(node)
  }

  function declare(symbol: ts.Symbol): void {
    const hooks = HOOKS.get(symbol.name)
    for (const node of symbol.declarations ?? []) {
      if (ts.isInterfaceDeclaration(node) && hooks) {
        const members = node.members.filter((member) => isAllowed(hookOf(member), hooks))
        const bases = (node.heritageClauses ?? [])
          .flatMap(({ types }) => types)
          .flatMap((base) => {
            const inherited = checker
              .getTypeAtLocation(base)
              .getProperties()
              .filter(({ name }) => isAllowed(name, hooks))
            const keys = inherited.map(({ name }) => `'${name}'`).join(' | ')
            return keys === '' ? [] : `Pick<${print(base)}, ${keys}>`
          })
        const heritage = bases.length > 0 ? ` extends ${bases.join(', ')}` : ''
        declarations.push(`interface ${nameOf(symbol)}${heritage} {\n${members.map(printWithComment).join('\n')}\n}`)
      } else if (ts.isVariableDeclaration(node)) {
        const { parent } = node
        declarations.push(printWithComment(ts.isVariableStatement(parent.parent) ? parent.parent : parent))
      } else declarations.push(printWithComment(node))
    }
  }

  const exported = checker.getExportsOfModule(entry).map((one) => {
    const symbol = one.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(one) : one
    nameOf(symbol)
    return one.name
  })
  // Declaring one may name others, which the iteration then reaches.
  for (const symbol of names.keys()) declare(symbol)
  const lines = declarations.map((text) =>
    text.replace(/^((?:\/\*[\s\S]*?\*\/\s*)?)(?:export )?(?:declare )?/, '$1declare '),
  )
  await writeFile(
    file,
    [`import type { z } from 'zod'`, ...lines, `export { ${exported.join(', ')} }`, GLOBALS].join('\n\n'),
  )
}

const { Interface, TypeAlias, Class, Function: Functions, BlockScopedVariable } = ts.SymbolFlags
/** What a file declares at its top level. */
const DECLARED = Interface | TypeAlias | Class | Functions | BlockScopedVariable

/** The name of a declared hook; of a family, `save_post_${string}`, any name. */
function hookOf(member: ts.TypeElement): string {
  const name = ts.isIndexSignatureDeclaration(member) ? member.parameters[0]?.type : member.name
  return (name?.getText() ?? '').replaceAll(/[`'"]/g, '').replaceAll(/\$\{string\}/g, 'any')
}

function isAllowed(hook: string, type: 'action' | 'filter'): boolean {
  return hookProblem('any', type, hook) === undefined
}

/** What `cms/sandbox/guest/globals.js` adds to the language. Where Node's types are in the program too, theirs apply. */
const GLOBALS = `declare global {
  interface URL {
    readonly hash: string
    readonly host: string
    readonly hostname: string
    readonly href: string
    readonly origin: string
    readonly password: string
    readonly pathname: string
    readonly port: string
    readonly protocol: string
    readonly search: string
    readonly searchParams: URLSearchParams
    readonly username: string
    toString(): string
    toJSON(): string
  }
  var URL: { new (url: string | URL, base?: string | URL): URL; canParse(url: string | URL, base?: string | URL): boolean }
  interface URLSearchParams {
    append(name: string, value: string): void
    delete(name: string): void
    get(name: string): string | null
    getAll(name: string): string[]
    has(name: string): boolean
    set(name: string, value: string): void
    entries(): IterableIterator<[string, string]>
    toString(): string
    [Symbol.iterator](): IterableIterator<[string, string]>
  }
  var URLSearchParams: {
    new (init?: string | Iterable<readonly [string, string]> | Readonly<Record<string, string>>): URLSearchParams
  }
  interface TextEncoder {
    encode(text?: string): Uint8Array<ArrayBuffer>
  }
  var TextEncoder: { new (): TextEncoder }
  interface TextDecoder {
    decode(bytes?: ArrayBuffer | ArrayBufferView): string
  }
  var TextDecoder: { new (): TextDecoder }
  interface Crypto {
    getRandomValues<Values extends ArrayBufferView>(array: Values): Values
    randomUUID(): \`\${string}-\${string}-\${string}-\${string}-\${string}\`
  }
  var crypto: Crypto
}
`
