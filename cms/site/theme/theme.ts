import { join, relative } from 'node:path'
import { Eta } from 'eta/core'
import { createForeignCode } from '../../foreign-code.ts'
import { listTheme, readTheme, type ThemeFolder } from './folder.ts'
import { toCompileError, toTemplateError } from './template-error.ts'

/** Where the product's own themes lie. */
export const PRODUCT_THEMES = join(import.meta.dirname, '../../../themes')
/** The theme that lends what another one lacks. */
export const DEFAULT_THEME = 'default'

/** A theme ready to render. */
export interface Theme {
  readonly name: string
  /** Names of all its templates, the default theme's among them: `page`, `page-templates/wide`. */
  readonly templates: readonly string[]
  /** What people call its places for menus, by their names in templates. */
  readonly menus: Readonly<Record<string, string>>
  /** The first of the names that is a template of the theme. */
  choose(names: readonly string[]): string | undefined
  /** @throws TemplateError naming file and line */
  render(template: string, data: object): string
  /** URL of a file of the theme that changes with its content: `asset('style.css')`. Without such a file, its plain URL. */
  asset(file: string): string
}

/** The themes of a site; each is read once, in a local environment again whenever a file of it has changed. */
export interface Themes {
  /** `undefined` if no folder of that name has a file. */
  open(name: string): Promise<Theme | undefined>
  /** Folders that may hold the theme, the site's own first. */
  folders(name: string): readonly string[]
  /** Whether it came with a backup that this site did not sign, and nobody has vouched for it since: none of it is used. */
  isForeign(name: string): boolean
  /** Vouches for such a theme. */
  trust(name: string): Promise<void>
}

/** What a theme may be called; anything else is not looked for on disk. */
export const THEME_NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/i

export function createThemes(siteDir: string, { watch }: { watch: boolean }): Themes {
  const opened = new Map<string, { state: string; theme: Promise<Theme> }>()
  const ownFolder = join(siteDir, 'themes')
  const foreignCode = createForeignCode(ownFolder)

  function folders(name: string): readonly string[] {
    return THEME_NAME.test(name) ? [join(ownFolder, name), join(PRODUCT_THEMES, name)] : []
  }

  /** In the order of strength: the site's copy, the product's, then the default theme for what is missing. */
  function list(name: string) {
    const paths = name === DEFAULT_THEME ? folders(name) : [...folders(name), ...folders(DEFAULT_THEME)]
    return paths.map((path) => ({ path, files: listTheme(path) }))
  }

  const isForeign = (name: string) => THEME_NAME.test(name) && foreignCode.has(name)

  return {
    folders,
    isForeign,
    trust: (name) => foreignCode.trust(join(ownFolder, name)),
    async open(name) {
      const known = opened.get(name)
      if (known && !watch) return known.theme
      if (isForeign(name)) return undefined
      const found = list(name)
      const own = new Set(folders(name))
      if (!found.some(({ path, files }) => own.has(path) && files.length > 0)) return undefined
      const state = found.flatMap(({ files }) => files.map((file) => `${file.path}:${file.changed}`)).join('\n')
      if (known && known.state === state) return known.theme
      const theme = Promise.all(found.map(({ path, files }) => readTheme(path, files))).then((read) =>
        createTheme(name, read, siteDir),
      )
      opened.set(name, { state, theme })
      theme.catch(() => opened.delete(name))
      return theme
    },
  }
}

function createTheme(name: string, folders: readonly ThemeFolder[], siteDir: string): Theme {
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
  // Includes are named from the theme's root, whichever template includes: './partials/header' is 'partials/header'.
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

  return {
    name,
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
