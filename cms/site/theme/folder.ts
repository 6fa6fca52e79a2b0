import { createHash } from 'node:crypto'
import { type Dirent, existsSync, readdirSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'
import { z } from 'zod'
import { isOutOfDescriptors } from '../../../core/files/file-descriptors.ts'
import { readThemeJson, STYLE_FILE, THEME_JSON, type ThemeJson } from './theme-json.ts'

/** File types of a theme that are public; templates and other files are not. */
export const ASSET_TYPES: ReadonlySet<string> = new Set(
  '.css .js .mjs .png .jpg .jpeg .gif .webp .avif .svg .ico .woff .woff2 .ttf .otf'.split(' '),
)
const TEMPLATE_TYPE = '.eta'
/** Defines the menu locations of the theme: `{ "primary": "Primary menu" }`. */
const MENUS = 'menus.json'
/** Translations of the theme: `languages/default-de.po`. */
const TRANSLATION = /^languages\/([\w-]+\.po)$/
const PARTS: ReadonlySet<string> = new Set([MENUS, THEME_JSON])
/** Folders that are not part of a theme. */
const SKIPPED = /^(\.|node_modules$)/
/** Two changes of a folder may have the same time if they are closer together than this, in ms; two seconds with FAT. */
const CLOCK_STEP = 2000

const menusSchema = z.record(z.string().regex(/^[a-z][a-z0-9_-]{0,39}$/), z.string().min(1).max(100))

/** A snapshot of a theme on disk. */
export interface ThemeFolder {
  readonly path: string
  /** Source by name without extension: `partials/header`. */
  readonly templates: ReadonlyMap<string, string>
  /** Hash prefixes by file: `style.css`. */
  readonly assets: ReadonlyMap<string, string>
  /** Menu locations by name; `undefined` if not defined. */
  readonly menus: Readonly<Record<string, string>> | undefined
  /** Colors and fonts; `undefined` if not defined. */
  readonly json: ThemeJson | undefined
  /** Style variations by slug. */
  readonly styles: ReadonlyMap<string, ThemeJson>
  /** PO files by name: `default-de.po`. */
  readonly translations: ReadonlyMap<string, Buffer>
}

export interface FoundFile {
  /** Path relative to the folder, with `/`. */
  readonly name: string
  readonly path: string
  readonly changed: number
}

/** All templates and assets of a folder; empty if it does not exist. */
export function listTheme(folder: string): FoundFile[] {
  return withTimes(filesOf(folder, entriesOf(folder)))
}

/**
 * `listTheme` for development, where it is called for each page: a folder is only read again if it, or a folder in it, was changed, and
 * otherwise only the times of its files. Synchronous reads are faster for so few files.
 */
export function createThemeLister(): (folder: string) => FoundFile[] {
  const known = new Map<string, { readonly folders: readonly FolderTime[]; readonly files: readonly NamedFile[] }>()

  return (folder) => {
    const before = known.get(folder)
    if (before?.folders.every(({ path, changed }) => changedAt(path) === changed)) return withTimes(before.files)
    const now = Date.now()
    const entries = entriesOf(folder)
    const inside = entries.filter((entry) => entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name))
    const folders = [folder, ...inside].map((path) => ({ path, changed: changedAt(path) }))
    const files = filesOf(folder, entries)
    const isSettled = folders.every(({ changed }) => changed === undefined || now - changed > CLOCK_STEP)
    if (isSettled) known.set(folder, { folders, files })
    else known.delete(folder)
    return withTimes(files)
  }
}

type NamedFile = Omit<FoundFile, 'changed'>

interface FolderTime {
  readonly path: string
  readonly changed: number | undefined
}

/** `undefined` if there is no such file or folder. */
const changedAt = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs

function filesOf(folder: string, entries: readonly Dirent[]): NamedFile[] {
  const files = entries.flatMap((entry) => {
    const path = join(entry.parentPath, entry.name)
    const name = path.slice(folder.length + 1).split(sep)
    const type = extname(entry.name)
    const file = name.join('/')
    const isPart = type === TEMPLATE_TYPE || PARTS.has(file) || STYLE_FILE.test(file) || TRANSLATION.test(file)
    const wanted = isPart || ASSET_TYPES.has(type.toLowerCase())
    return entry.isFile() && wanted && !name.some((part) => SKIPPED.test(part)) ? [{ name: file, path }] : []
  })
  return files.sort((a, b) => (a.name < b.name ? -1 : 1))
}

function withTimes(files: readonly NamedFile[]): FoundFile[] {
  return files.flatMap((file) => {
    const changed = changedAt(file.path)
    return changed === undefined ? [] : [{ ...file, changed }]
  })
}

function entriesOf(folder: string): Dirent[] {
  if (!existsSync(folder)) return []
  try {
    return readdirSync(folder, { withFileTypes: true, recursive: true })
  } catch (error) {
    // A theme with temporarily unreadable files still exists.
    if (isOutOfDescriptors(error)) throw error
    return []
  }
}

/** @param skip receives what could not be used of `theme.json`, a style variation, or `menus.json` */
export async function readTheme(
  folder: string,
  files: readonly FoundFile[],
  skip: (file: FoundFile, problems: readonly string[]) => void,
): Promise<ThemeFolder> {
  const templates = new Map<string, string>()
  const assets = new Map<string, string>()
  const styles = new Map<string, ThemeJson>()
  const translations = new Map<string, Buffer>()
  let menus: ThemeFolder['menus']
  let json: ThemeJson | undefined
  const readJson = (file: FoundFile, content: Buffer) => {
    const problems: string[] = []
    const read = readThemeJson(content.toString('utf8'), (problem) => problems.push(problem))
    if (problems.length > 0) skip(file, problems)
    return read
  }
  await Promise.all(
    files.map(async (file) => {
      const { name, path } = file
      const content = await readFile(path)
      const style = STYLE_FILE.exec(name)?.[1]
      const translation = TRANSLATION.exec(name)?.[1]
      if (name === MENUS) menus = readMenus(content.toString('utf8'), (problem) => skip(file, [problem]))
      else if (name === THEME_JSON) json = readJson(file, content)
      else if (style !== undefined) {
        const variation = readJson(file, content)
        if (variation) styles.set(style, variation)
      } else if (translation !== undefined) translations.set(translation, content)
      else if (name.endsWith(TEMPLATE_TYPE))
        templates.set(name.slice(0, -TEMPLATE_TYPE.length), content.toString('utf8'))
      else assets.set(name, createHash('sha256').update(content).digest('hex').slice(0, 10))
    }),
  )
  // Files were read in parallel.
  return {
    path: folder,
    templates,
    assets,
    menus,
    json,
    translations,
    styles: new Map([...styles].sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}

/** A mistake never stops a theme: `skip` receives the reason, and the theme then has no menu locations of its own. */
function readMenus(text: string, skip: (problem: string) => void): ThemeFolder['menus'] {
  try {
    return menusSchema.parse(JSON.parse(text))
  } catch {
    skip('It must be JSON that defines menu locations, such as { "primary": "Primary menu" }.')
    return undefined
  }
}
