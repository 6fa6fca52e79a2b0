import { join, relative } from 'node:path'
import { Eta } from 'eta/core'
import type { Logger } from '../../../core/log.ts'
import { createUntrustedCode } from '../../untrusted-code.ts'
import { createThemeLister, type FoundFile, listTheme, readTheme, type ThemeFolder } from './folder.ts'
import { readThemeHeader } from './header.ts'
import { toCompileError, toTemplateError } from './template-error.ts'
import { createThemeTexts, type ThemeTexts } from './texts.ts'
import type { ThemeJson } from './theme-json.ts'

/** Folder of the bundled themes. */
export const PRODUCT_THEMES = join(import.meta.dirname, '../../../themes')
/** The theme used as a fallback for missing templates. */
export const DEFAULT_THEME = 'default'

/** A loaded theme. */
export interface Theme {
  readonly name: string
  /** All template names, including those of the default theme: `page`, `page-templates/wide`. */
  readonly templates: readonly string[]
  /** Labels of menu locations by name. */
  readonly menus: Readonly<Record<string, string>>
  /** Colors and fonts, from the first folder that has a `theme.json`. */
  readonly json: ThemeJson | undefined
  /** Style variations of that folder by slug. */
  readonly styles: ReadonlyMap<string, ThemeJson>
  /** The first name that is a template of the theme. */
  choose(names: readonly string[]): string | undefined
  /** @throws TemplateError with file and line */
  render(template: string, data: object): string
  /** URL of a theme file with a content hash: `asset('style.css')`. A plain URL if the file does not exist. */
  asset(file: string): string
  /** The texts in a language. @param locale as in the settings: `de_DE` */
  texts(locale: string): ThemeTexts
}

/** The themes of a site; each is loaded once, and reloaded on changes in development. */
export interface Themes {
  /** `undefined` if no folder of that name has files. */
  open(name: string): Promise<Theme | undefined>
  /** Folders of the theme, that of the site first. */
  folders(name: string): readonly string[]
  /** Whether it came with a backup not signed by this site and was not approved: such themes are not used. */
  isUntrusted(name: string): boolean
  /** Approves such a theme. */
  trust(name: string): Promise<void>
  /** Loads all themes again when they are next opened, because files were installed or removed. */
  forget(): void
}

/** Valid theme names; others are not looked up on disk. */
export const THEME_NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/i

export function createThemes(siteDir: string, { watch, log }: { watch: boolean; log: Pick<Logger, 'warn'> }): Themes {
  const opened = new Map<string, { state: string; theme: Promise<Theme> }>()
  const ownFolder = join(siteDir, 'themes')
  const untrustedCode = createUntrustedCode(ownFolder)
  /** Modification times of the files that were reported, by path. */
  const reported = new Map<string, number>()

  /** In development, a theme is read again on each change of any of its files. */
  function reportSkipped({ path, changed }: FoundFile, problems: readonly string[]): void {
    if (reported.get(path) === changed) return
    reported.set(path, changed)
    log.warn({ file: path, problems }, 'invalid values of a theme file skipped')
  }

  function folders(name: string): readonly string[] {
    return THEME_NAME.test(name) ? [join(ownFolder, name), join(PRODUCT_THEMES, name)] : []
  }

  const isUntrusted = (name: string) => THEME_NAME.test(name) && untrustedCode.has(name)

  const filesOf = watch ? createThemeLister() : listTheme
  const listed = (path: string) => ({ path, files: filesOf(path) })
  /** Names of parent themes, with the style sheets that name them. */
  const parents = new Map<string, { readonly sheets: string; readonly parent: string }>()

  async function parentOf(name: string, own: readonly ReturnType<typeof listed>[]): Promise<string> {
    const sheets = stateOf(own.flatMap(({ files }) => files.filter((file) => file.name === 'style.css')))
    const known = parents.get(name)
    if (known?.sheets === sheets) return known.parent
    const { template: parent } = await readThemeHeader(folders(name))
    parents.set(name, { sheets, parent })
    return parent
  }

  /** In order of precedence: the site's copy, the product's, those of the parent theme, then the default theme. */
  async function list(name: string) {
    const own = folders(name).map(listed)
    const parent = await parentOf(name, own)
    const others = new Set([...(isUntrusted(parent) ? [] : [parent]), DEFAULT_THEME])
    others.delete(name)
    return [...own, ...[...others].flatMap(folders).map(listed)]
  }

  return {
    folders,
    isUntrusted,
    trust: (name) => untrustedCode.trust(join(ownFolder, name)),
    forget: () => opened.clear(),
    async open(name) {
      const known = opened.get(name)
      if (known && !watch) return known.theme
      if (isUntrusted(name)) return undefined
      const found = await list(name)
      const own = new Set(folders(name))
      if (!found.some(({ path, files }) => own.has(path) && files.length > 0)) return undefined
      const state = stateOf(found.flatMap(({ files }) => files))
      if (known && known.state === state) return known.theme
      const theme = Promise.all(found.map(({ path, files }) => readTheme(path, files, reportSkipped))).then((read) =>
        createTheme(name, read, { siteDir, log }),
      )
      opened.set(name, { state, theme })
      theme.catch(() => opened.delete(name))
      return theme
    },
  }
}

const stateOf = (files: readonly FoundFile[]) => files.map(({ path, changed }) => `${path}:${changed}`).join('\n')

function createTheme(
  name: string,
  folders: readonly ThemeFolder[],
  { siteDir, log }: { siteDir: string; log: Pick<Logger, 'warn'> },
): Theme {
  const source = (template: string) => folders.find((folder) => folder.templates.has(template))
  const nameOf = (folder: ThemeFolder) => folder.path.split(/[/\\]/).at(-1) ?? name

  function fileOf(template: string): string {
    const folder = source(template)
    if (!folder) return `${template}.eta`
    const file = join(folder.path, `${template}.eta`)
    const inSite = relative(siteDir, file)
    return inSite.startsWith('..') ? `themes/${nameOf(folder)}/${template}.eta` : inSite
  }

  const eta = new Eta({ cache: true, debug: true })
  // Includes are relative to the root of the theme: './partials/header' is 'partials/header'.
  eta.resolvePath = (template) => template.replace(/^[./]+/, '').replace(/\.eta$/, '')
  eta.readFile = (template) => {
    const text = source(template)?.templates.get(template)
    if (text === undefined) throw new Error(`The theme has no template "${template}".`)
    return text
  }
  const { compile } = eta
  eta.compile = function (text, options) {
    try {
      return compile.call(this, text, options)
    } catch (error) {
      throw toCompileError(error, fileOf(options?.filepath ?? ''), () => this.compileToString(text, options))
    }
  }

  const styled = folders.find(({ json }) => json)

  const translated = folders.map((folder) => ({ name: nameOf(folder), translations: folder.translations }))
  const texts = createThemeTexts(translated, (file, problem) =>
    log.warn({ theme: name, file, problem }, 'invalid translation of a theme skipped'),
  )

  return {
    name,
    texts,
    json: styled?.json,
    styles: styled?.styles ?? new Map(),
    templates: [...new Set(folders.flatMap((folder) => [...folder.templates.keys()]))],
    menus: folders.find(({ menus }) => menus)?.menus ?? {},
    choose: (names) => names.find((candidate) => source(candidate)),
    render(template, data) {
      try {
        return eta.render(template, data)
      } catch (error) {
        throw toTemplateError(error, template, fileOf)
      }
    },
    asset(file) {
      const folder = folders.find((candidate) => candidate.assets.has(file))
      if (!folder) return `/wp-content/themes/${name}/${file}`
      return `/wp-content/themes/${nameOf(folder)}/${file}?ver=${folder.assets.get(file)}`
    },
  }
}
