import { join } from 'node:path'
import ts from 'typescript'

const FILE = join(import.meta.dirname, 'things-under-test.ts')

/**
 * What is wrong with things in the words of schema.org: types that there are not, properties that a type does not have,
 * values of another kind. The TypeScript compiler says it, by the types that Google generates from the vocabulary
 * (schema-dts).
 */
export function vocabularyErrors(things: readonly unknown[]): string[] {
  const text = `import type { Thing } from 'schema-dts'\nexport const things: readonly Thing[] = [\n${things.map((one) => JSON.stringify(one)).join(',\n')}\n]\n`
  const options: ts.CompilerOptions = {
    noEmit: true,
    strict: true,
    types: [],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ESNext,
    skipLibCheck: true,
  }
  const host = ts.createCompilerHost(options)
  const { getSourceFile, fileExists } = host
  host.fileExists = (name) => name === FILE || fileExists.call(host, name)
  host.getSourceFile = (name, language, ...rest) =>
    name === FILE ? ts.createSourceFile(name, text, language) : getSourceFile.call(host, name, language, ...rest)
  const program = ts.createProgram([FILE], options, host)
  return ts.getPreEmitDiagnostics(program).map(({ messageText, start = 0 }) => {
    const line = text.slice(text.lastIndexOf('\n', start) + 1, text.indexOf('\n', start))
    return `${ts.flattenDiagnosticMessageText(messageText, ' ').slice(0, 500)}: ${line.slice(0, 200)}`
  })
}
