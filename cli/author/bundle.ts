import { SourceMap } from 'node:module'
import { join, relative, resolve, sep } from 'node:path'
import type { Loader, Plugin } from 'esbuild'
import { withEsbuild } from '../../cms/esbuild.ts'
import packageJson from '../../package.json' with { type: 'json' }

/** File types that are imported as text, as when the host loads an extension. */
const TEXTS: Record<string, Loader> = Object.fromEntries(
  ['.css', '.html', '.svg', '.txt', '.md', '.sql', '.graphql'].map((suffix) => [suffix, 'text']),
)

/** Calls that throw and pause an extension, because they end or change the whole process. */
const FORBIDDEN = [
  ...['process.exit', 'process.abort', 'process.reallyExit', 'process.kill', 'process.chdir', 'process.umask'],
  ...['process.setuid', 'process.setgid', 'process.dlopen'],
]

/** An extension and its dependencies as one module. */
export interface AuthorBundle {
  /** An ES module that imports only `pentad`, Node's modules, and packages that Pentad provides. */
  readonly code: string
  /** Absolute paths of the author's files that it contains. */
  readonly sources: readonly string[]
  /** Calls that Pentad does not allow: `lib/end.ts:12 process.exit`. */
  readonly forbidden: readonly string[]
}

/** @throws Error naming the file and line of each problem */
export async function bundleForPackage(entry: string, folder: string): Promise<AuthorBundle> {
  const marks = Object.fromEntries(FORBIDDEN.map((call) => [call, `__forbidden_${call.replace('.', '_')}__`]))
  const options = {
    entryPoints: [entry],
    absWorkingDir: folder,
    outfile: join(folder, 'index.js'),
    ...({ bundle: true, write: false, metafile: true, format: 'esm', platform: 'node', target: 'node24' } as const),
    ...({ jsx: 'automatic', loader: TEXTS, logLevel: 'silent' } as const),
    plugins: [providedByHost],
  }
  const [plain, marked] = await withEsbuild(({ build }) =>
    Promise.all([build(options), build({ ...options, define: marks, sourcemap: 'external' })]),
  )
  const text = (result: typeof plain, suffix: string) =>
    result.outputFiles?.find(({ path }) => path.endsWith(suffix))?.text ?? ''
  const sources = Object.keys(plain.metafile.inputs)
    .map((file) => resolve(folder, file))
    .filter((file) => !file.includes(`${sep}node_modules${sep}`))
  return {
    code: text(plain, '.js'),
    sources,
    forbidden: placesOf(marks, text(marked, '.js'), text(marked, '.map'), folder),
  }
}

/** Packages that the host shares with extensions stay imports, so that there is one instance. */
const providedByHost: Plugin = {
  name: 'provided-by-host',
  setup(build) {
    const provided = new Set(['pentad', ...Object.keys(packageJson.dependencies)])
    build.onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
      if (kind === 'entry-point') return undefined
      const name = path.split('/', path.startsWith('@') ? 2 : 1).join('/')
      return provided.has(name) ? { path, external: true } : undefined
    })
  },
}

/** Where the marks are in the author's files. */
function placesOf(marks: Readonly<Record<string, string>>, code: string, map: string, folder: string): string[] {
  const sourceMap = new SourceMap(JSON.parse(map))
  const lines = code.split('\n')
  return Object.entries(marks).flatMap(([call, mark]) =>
    lines.flatMap((line, at) => {
      const column = line.indexOf(mark)
      if (column < 0) return []
      const origin = sourceMap.findEntry(at, column)
      if (!('originalSource' in origin)) return [call]
      const file = relative(folder, resolve(folder, origin.originalSource))
      return [`${file}:${origin.originalLine + 1} ${call}`]
    }),
  )
}
