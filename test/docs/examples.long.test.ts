import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import ts from 'typescript'

const root = join(import.meta.dirname, '../..')

/** Every ```ts block of the Markdown pages and of the docblocks, as a file that does not exist on disk. */
function collectExamples(): Map<string, string> {
  const examples = new Map<string, string>()
  const files = [
    ...globSync(['*.md', 'docs/**/*.md'], { cwd: root }),
    ...globSync(['app/**/*.ts', 'cms/**/*.ts', 'core/**/*.ts', 'plugins/**/*.ts', 'extensions/**/*.ts'], { cwd: root }),
  ]
  for (const file of files) {
    const text = readFileSync(join(root, file), 'utf8')
    const inComments = file.endsWith('.ts')
    let number = 0
    for (const [, indent = '', code = ''] of text.matchAll(/^([ \t]*\*? ?)```ts\n([\s\S]*?)^[ \t]*\*? ?```/gm)) {
      const lines = code
        .split('\n')
        .map((line) => (inComments ? line.replace(/^[ \t]*\* ?/, '') : line.slice(indent.length)))
      examples.set(join(root, 'docs', `${file.replaceAll('/', '-')}-${++number}.example.ts`), lines.join('\n'))
    }
  }
  return examples
}

describe('Code examples in the docs and docblocks', () => {
  it('compile', () => {
    const examples = collectExamples()
    expect(examples.size).to.be.greaterThan(5)
    const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile)
    const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root)
    const host = ts.createCompilerHost(options)
    const { fileExists, readFile, getSourceFile } = host
    host.fileExists = (file) => examples.has(file) || fileExists.call(host, file)
    host.readFile = (file) => examples.get(file) ?? readFile.call(host, file)
    host.getSourceFile = (file, version, ...rest) => {
      const example = examples.get(file)
      return example === undefined
        ? getSourceFile.call(host, file, version, ...rest)
        : ts.createSourceFile(file, example, version)
    }
    // As in a site that runs the services and the store: what they fire is declared.
    const declared = globSync('{plugins,extensions}/**/hooks.ts', { cwd: root }).map((file) => join(root, file))
    const program = ts.createProgram([...examples.keys(), ...declared], options, host)
    const problems = [...examples.keys()].flatMap((file) => {
      const source = program.getSourceFile(file)
      return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
        (diagnostic) =>
          `${file.slice(root.length + 6)}: ${ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n')}`,
      )
    })
    expect(problems).to.deep.equal([])
  })
})
