import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { currentRequest, type RequestContext } from '../../core/http/request-context.ts'
import type { Logger } from '../../core/log.ts'
import { SITE_SETTINGS } from '../../core/options/site-info.ts'
import type { JoiningHost } from '../../core/types.ts'
import { createTranslate, english, type Translate } from '../text/catalog.ts'
import { poFiles, readPo } from '../text/po.ts'

/** Folder of an extension that contains its translations: `languages/hello-de.po`. */
const FOLDER = 'languages'
/** Locales of an extension in memory. */
const MAX_LOCALES = 30

/** The translations of an extension: those in its `languages` folder, by gettext's rules. */
export interface Texts {
  /**
   * Translates a string, like WordPress's `__`. In routes, the language is that of the user; otherwise, that of the site.
   *
   * @param domain - The extension's ID.
   */
  __(text: string, domain: string): string
  /** Translates a string whose meaning depends on its context, like WordPress's `_x`. */
  _x(text: string, context: string, domain: string): string
  /** Translates the singular or plural form of a string, depending on a number, like WordPress's `_n`. Replace the placeholder with the number yourself. */
  _n(single: string, plural: string, count: number, domain: string): string
  /** Like `_n`, but for a string whose meaning depends on its context, like WordPress's `_nx`. */
  _nx(single: string, plural: string, count: number, context: string, domain: string): string
}

declare module '../../core/extensions/types.ts' {
  interface ExtensionHost extends Texts {}
}

/** Adds `host.__` and its variants. @param folderOf - Folder of an extension; `undefined` if it has none. */
export function joinExtensionTexts(
  { addView, hooks, extensions, log }: Pick<JoiningHost, 'addView' | 'extensions' | 'hooks' | 'log'>,
  { folderOf, language }: { readonly folderOf: (id: string) => string | undefined; readonly language: () => string },
): void {
  /** Requests to routes: pages are cached for all users, so they are in the language of the site. */
  const ofRoutes = new WeakSet<RequestContext>()
  /** The running extensions with translations. */
  const translated = new Set<string>()
  let siteLanguage: string | undefined

  /** Only once an extension has translations, since other sites need no callback. */
  function start(): void {
    siteLanguage = language()
    hooks.addFilter('rest_pre_dispatch', (result) => {
      const request = currentRequest()
      if (request) ofRoutes.add(request)
      return result
    })
    hooks.addAction('updated_option', (name) => {
      if (name !== SITE_SETTINGS || language() === siteLanguage) return
      siteLanguage = language()
      for (const id of translated) void reload(id)
    })
  }

  /** What `setup` has registered is in the former language. */
  async function reload(id: string): Promise<void> {
    await extensions
      .reload(id)
      .catch((error: unknown) =>
        log.warn({ err: error, extension: id }, 'extension not reloaded after a language change'),
      )
  }

  function locale(): string {
    const request = currentRequest()
    return (request && ofRoutes.has(request) && request.identity.user?.locale) || language()
  }

  addView(({ id, onWithdraw }) => {
    const folder = folderOf(id)
    const languages = folder === undefined ? undefined : join(folder, FOLDER)
    const catalogs = createCatalogs(id, languages, log)
    if (languages !== undefined && existsSync(languages)) {
      if (siteLanguage === undefined) start()
      translated.add(id)
      onWithdraw(() => void translated.delete(id))
    }

    function translate(
      domain: string,
      context: string | undefined,
      single: string,
      plural = single,
      count = 1,
    ): string {
      if (domain !== id)
        throw new Error(`The text domain is "${domain}", but it must be the ID of the extension, "${id}".`)
      return catalogs(locale())(context, single, plural, count)
    }

    return {
      __: (text, domain) => translate(domain, undefined, text),
      _x: (text, context, domain) => translate(domain, context, text),
      _n: (single, plural, count, domain) => translate(domain, undefined, single, plural, count),
      _nx: (single, plural, count, context, domain) => translate(domain, context, single, plural, count),
    }
  })
}

/** The translations of one version of an extension, by locale; each file is read once. */
function createCatalogs(id: string, languages: string | undefined, log: Logger): (locale: string) => Translate {
  const known = new LRUCache<string, Translate>({ max: MAX_LOCALES })

  function open(locale: string): Translate {
    if (languages === undefined) return english
    const file = poFiles(id, locale).find((name) => existsSync(join(languages, name)))
    if (file === undefined) return english
    try {
      return createTranslate(id, readPo(join(languages, file), id))
    } catch (error) {
      log.warn({ err: error, extension: id, file }, 'extension translation unreadable, showing English')
      return english
    }
  }

  return (locale) => {
    const found = known.get(locale) ?? open(locale)
    known.set(locale, found)
    return found
  }
}
