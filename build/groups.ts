import { build, type Metafile } from 'esbuild'
import { ROOT } from './places.ts'

/** What every start of a site loads. */
const SITE = ['cli/serve-site.ts', 'app/index.ts']
/** Loaded without a site: the supervisor has less memory, and starts the server sooner. */
const WITHOUT_SITE = ['cli/index.ts', 'cli/program.ts', 'cli/start.ts', 'cli/expected-warning.ts']

type Inputs = Metafile['inputs']

/**
 * Modules that are loaded together. Each file that loads some of a group loads all of them, because esbuild creates a chunk for each set of
 * files that share modules: without groups, a start loads a hundred small chunks, which takes a tenth of its CPU time.
 */
export interface Groups {
  /** The modules of each group, by its name. */
  readonly modules: ReadonlyMap<string, readonly string[]>
  /** The groups that a file has to load, by its path. */
  readonly loadedBy: ReadonlyMap<string, readonly string[]>
}

/** @param entries - What is loaded directly, relative to the project. @param named - Threads and processes, which share nothing with a site. */
export async function groupModules(entries: readonly string[], named: readonly string[]): Promise<Groups> {
  const { metafile } = await build({
    entryPoints: [...entries],
    outdir: ROOT,
    absWorkingDir: ROOT,
    ...{ bundle: true, splitting: true, write: false, metafile: true, format: 'esm', platform: 'node' },
    packages: 'external',
  })
  const { inputs } = metafile
  const site = closureOf(SITE, inputs)
  const lazy = Object.values(inputs).flatMap(({ imports }) =>
    imports.flatMap(({ path, kind, external }) => (kind === 'dynamic-import' && !external ? [path] : [])),
  )
  const loaded = [...new Set([...entries, ...lazy])].filter(
    (file) => !site.has(file) && !WITHOUT_SITE.includes(file) && !named.includes(file),
  )
  const isCommand = (file: string) => /(?:^|\/)cli\//.test(file) && !closureOf([file], inputs).has('app/create-site.ts')
  const commands = loaded.filter(isCommand)
  const shared = [...closureOf(commands, inputs)].filter((file) => file.endsWith('.ts') && site.has(file))
  const loadedBy = new Map(
    loaded
      .filter((file) => [...closureOf([file], inputs)].some((one) => site.has(one)))
      .map((file) => [file, commands.includes(file) ? ['commands'] : ['site', 'commands']]),
  )
  for (const root of SITE) loadedBy.set(root, ['site', 'commands'])
  return {
    modules: new Map([
      ['commands', shared],
      ['site', SITE],
    ]),
    loadedBy,
  }
}

/** The files with all that they import, without what they load later. */
function closureOf(files: readonly string[], inputs: Inputs): Set<string> {
  const found = new Set<string>()
  const add = (file: string) => {
    if (found.has(file)) return
    found.add(file)
    for (const { path, kind, external } of inputs[file]?.imports ?? []) {
      if (!external && kind !== 'dynamic-import') add(path)
    }
  }
  files.forEach(add)
  return found
}
