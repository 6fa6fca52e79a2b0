/** The product's code as the TypeScript compiler sees it, without the types of packages: enough to follow names. */
import { globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'

export interface SourceCode {
  readonly files: readonly ts.SourceFile[]
  /** What a name stands for where it is used; imports are followed. */
  symbolOf(name: ts.Node): ts.Symbol | undefined
  /** The function behind a name or a call's callee. */
  functionOf(name: ts.Node): ts.FunctionLikeDeclaration | undefined
  /** Every call of a function, by its name. */
  callsOf(called: ts.FunctionLikeDeclaration): readonly ts.CallExpression[]
}

/** Reads every TypeScript file under the folders. */
export function readSourceCode(root: string, folders: readonly string[]): SourceCode {
  const paths = folders
    .flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root }))
    .map((file) => join(root, file))
    // Folders are read in no particular order.
    .sort()
  const options: ts.CompilerOptions = {
    noLib: true,
    types: [],
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext,
  }
  const host = ts.createCompilerHost(options)
  host.resolveModuleNameLiterals = (names, from) =>
    names.map(({ text }) => ({
      resolvedModule: /^\..*\.ts$/.test(text)
        ? { resolvedFileName: join(dirname(from), text), extension: ts.Extension.Ts }
        : undefined,
    }))
  const program = ts.createProgram(paths, options, host)
  const checker = program.getTypeChecker()
  const files = program.getSourceFiles().filter(({ fileName }) => paths.includes(fileName))

  function symbolOf(name: ts.Node): ts.Symbol | undefined {
    const symbol = ts.isShorthandPropertyAssignment(name.parent)
      ? checker.getShorthandAssignmentValueSymbol(name.parent)
      : checker.getSymbolAtLocation(name)
    return symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
  }

  function functionOf(name: ts.Node): ts.FunctionLikeDeclaration | undefined {
    const declaration = symbolOf(name)?.valueDeclaration
    if (!declaration) return undefined
    const value = ts.isVariableDeclaration(declaration) ? declaration.initializer : declaration
    return value && isFunction(value) ? value : undefined
  }

  const calls = new Map<ts.FunctionLikeDeclaration, ts.CallExpression[]>()
  for (const file of files) {
    visitAll(file, (node) => {
      const called = ts.isCallExpression(node) && ts.isIdentifier(node.expression) && functionOf(node.expression)
      if (called) calls.set(called, [...(calls.get(called) ?? []), node])
    })
  }
  return { files, symbolOf, functionOf, callsOf: (called) => calls.get(called) ?? [] }
}

/** Calls `look` with a node and everything inside. */
export function visitAll(node: ts.Node, look: (node: ts.Node) => void): void {
  look(node)
  ts.forEachChild(node, (child) => visitAll(child, look))
}

export function isFunction(node: ts.Node): node is ts.FunctionLikeDeclaration {
  return (
    ts.isFunctionDeclaration(node) ||
    ts.isFunctionExpression(node) ||
    ts.isArrowFunction(node) ||
    ts.isMethodDeclaration(node)
  )
}
