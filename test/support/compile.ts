import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

/** What a language service offers inside the quotes of a call, as editors ask for it. */
export function offeredAt(call: string, declarations: string): string[] {
  const text = `${declarations}\n${call}`
  const service = ts.createLanguageService(
    {
      getScriptFileNames: () => [SNIPPET],
      getScriptVersion: (path) => (path === SNIPPET ? text : ''),
      getScriptSnapshot(path) {
        const content = path === SNIPPET ? text : ts.sys.readFile(path)
        return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content)
      },
      getCurrentDirectory: () => root,
      getCompilationSettings: () => options,
      getDefaultLibFileName: ts.getDefaultLibFilePath,
      fileExists: (path) => path === SNIPPET || ts.sys.fileExists(path),
      readFile: ts.sys.readFile,
      directoryExists: ts.sys.directoryExists,
    },
    documents,
  )
  const completions = service.getCompletionsAtPosition(SNIPPET, text.lastIndexOf("'"), {})
  return completions?.entries.map(({ name }) => name) ?? []
}

export const root = join(import.meta.dirname, '../..')
// Beside the tests, so that it finds what they find; it is never written.
const SNIPPET = join(root, 'test/hooks/snippet.ts')
const { options } = ts.parseJsonConfigFileContent(
  ts.parseConfigFileTextToJson('tsconfig.json', readFileSync(join(root, 'tsconfig.json'), 'utf8')).config,
  ts.sys,
  root,
)
const parsed = new Map<string, ts.SourceFile | undefined>()
let previous: ts.Program | undefined
const documents = ts.createDocumentRegistry()

/** What the compiler says of a piece of TypeScript below the declarations, compiled in memory; empty if it is content. */
export function errorsIn(code: string, declarations: string): string {
  const host = ts.createCompilerHost(options)
  const { getSourceFile, fileExists, readFile } = host
  const text = `${declarations}\n${code}`
  host.getSourceFile = (path, languageVersion) => {
    if (path === SNIPPET) return ts.createSourceFile(path, text, languageVersion, true)
    if (!parsed.has(path)) parsed.set(path, getSourceFile(path, languageVersion))
    return parsed.get(path)
  }
  host.fileExists = (path) => path === SNIPPET || fileExists(path)
  host.readFile = (path) => (path === SNIPPET ? text : readFile(path))
  const program = ts.createProgram([SNIPPET], options, host, previous)
  previous = program
  const snippet = program.getSourceFile(SNIPPET)
  const diagnostics = [...program.getSyntacticDiagnostics(snippet), ...program.getSemanticDiagnostics(snippet)]
  return diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')).join('\n')
}
