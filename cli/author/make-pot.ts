import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { readString } from '../../app/loader/literals.ts'
import { withEsbuild } from '../../cms/esbuild.ts'
import { type PotEntry, writePot } from '../../cms/text/po.ts'
import { readManifest } from './manifest.ts'

const SOURCE = /(?<!\.d)(?<!\.test)\.[cm]?[jt]sx?$/
/** A call of a translation function, as esbuild writes it. */
const CALL = /(?<![\w$])(__|_x|_nx?)\(/g

/** Which argument of a function holds what; the text itself is the first. */
const PLACES: Readonly<
  Record<string, { readonly plural?: number; readonly context?: number; readonly domain: number }>
> = {
  __: { domain: 1 },
  _x: { context: 1, domain: 2 },
  _n: { plural: 1, domain: 3 },
  _nx: { plural: 1, context: 3, domain: 4 },
}

/**
 * Writes `languages/<id>.pot`, the template for translators, with the texts that the code passes to `__` and its variants.
 *
 * @returns its path, and the number of texts
 * @throws Error if the extension cannot be read
 */
export async function makePot(folder: string): Promise<{ readonly path: string; readonly count: number }> {
  const { source, packageJson } = await readManifest(folder)
  const entries = new Map<string, PotEntry>()
  for (const file of await sourcesIn(folder)) {
    for (const found of await textsIn(join(folder, file), source.id)) {
      const key = JSON.stringify([found.context, found.text])
      const known = entries.get(key)
      const plural = found.plural ?? known?.plural
      entries.set(key, { ...found, plural, files: [...new Set([...(known?.files ?? []), file])] })
    }
  }
  const path = join(folder, 'languages', `${source.id}.pot`)
  await mkdir(join(folder, 'languages'), { recursive: true })
  await writeFile(path, writePot(`${source.name} ${packageJson.version}`, [...entries.values()]))
  return { path, count: entries.size }
}

async function sourcesIn(folder: string): Promise<string[]> {
  const found = await readdir(folder, { withFileTypes: true, recursive: true })
  return found
    .filter((entry) => entry.isFile() && SOURCE.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter((file) => !file.split('/').some((part) => part === 'node_modules' || part.startsWith('.')))
    .sort()
}

async function textsIn(path: string, domain: string): Promise<Omit<PotEntry, 'files'>[]> {
  const source = await readFile(path, 'utf8')
  const loader = /\.[cm]?ts$/.test(path) ? 'ts' : 'tsx'
  // Without types, comments, and line breaks, and with joined strings.
  const { code } = await withEsbuild(({ transform }) =>
    transform(source, { loader, minifyWhitespace: true, minifySyntax: true, charset: 'utf8', sourcefile: path }),
  )
  return [...code.matchAll(CALL)].flatMap(({ 0: call, 1: name = '', index }) => {
    const given = argumentsAt(code, index + call.length)
    const { plural, context, domain: domainAt } = PLACES[name] ?? { domain: 1 }
    const text = given[0]
    if (text === undefined || text === '' || given[domainAt] !== domain) return []
    return { text, plural: given[plural ?? -1], context: given[context ?? -1] }
  })
}

/** The arguments of a call; `undefined` for those that are no string. @param start - The index after the opening parenthesis. */
function argumentsAt(code: string, start: number): (string | undefined)[] {
  const found: (string | undefined)[] = [undefined]
  let depth = 0
  let at = start
  while (at < code.length) {
    const string = readString(code, at)
    const character = code[at] ?? ''
    if (string !== undefined) {
      const isWhole = depth === 0 && /[,(]/.test(code[at - 1] ?? '') && /[,)]/.test(code[string.end] ?? '')
      if (isWhole) found[found.length - 1] = string.text
      at = string.end
      continue
    }
    if ('([{'.includes(character)) depth++
    else if (')]}'.includes(character) && --depth < 0) break
    else if (character === ',' && depth === 0) found.push(undefined)
    at++
  }
  return found
}
