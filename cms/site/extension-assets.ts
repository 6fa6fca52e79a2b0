import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import mime from 'mime-types'
import type { Undo } from '../../core/hooks/types.ts'
import { escapeHtml } from '../../core/http/escape-html.ts'
import { queryOf } from '../../core/http/request.ts'
import type { JoiningHost } from '../../core/types.ts'
import { findFile, pathBelow } from './files/find-file.ts'
import { sendFile } from './files/send-file.ts'
import { ASSET_TYPES } from './theme/folder.ts'
import type { PageContext } from './types.ts'

/** As WordPress prints them in `wp_head`. */
const STYLES = 8
const SCRIPTS = 9
/** Names of files and folders, none of them hidden. */
const FILE = /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/

/** Which pages have a style or script: by default all. */
export interface EnqueueOptions {
  readonly when?: (page: PageContext) => boolean
}

/** The public files of an extension: those in the `assets` folder beside its entry file. */
export interface ExtensionAssets {
  /**
   * Path of a file on the site, which changes with its content: `assets.url('icons/star.svg')`.
   * @throws Error if there is no such file, or its type is not public
   */
  url(file: string): string
  /** Adds a style sheet to pages, like `wp_enqueue_style`. @throws like `url` */
  enqueueStyle(file: string, options?: EnqueueOptions): Undo
  /** Adds a script to pages, like `wp_enqueue_script`; it runs once the page is parsed. `.mjs` is a module. @throws like `url` */
  enqueueScript(file: string, options?: EnqueueOptions): Undo
}

declare module '../../core/extensions/types.ts' {
  interface ExtensionHost {
    /**
     * Public files of the extension, and styles and scripts for pages.
     *
     * @example
     * ```ts
     * import { defineExtension } from 'pentad'
     *
     * export default defineExtension({
     *   id: 'gallery',
     *   name: 'Gallery',
     *   version: '1.0.0',
     *   setup({ assets }) {
     *     assets.enqueueStyle('gallery.css')
     *     assets.enqueueScript('gallery.js', { when: (page) => page.kind === 'single' })
     *   },
     * })
     * ```
     */
    readonly assets: ExtensionAssets
  }
}

/**
 * Serves `/wp-content/plugins/<id>/assets/…` and adds `host.assets`.
 * @param folderOf - Folder of an extension outside of a sandbox; `undefined` if it has none.
 */
export function joinExtensionAssets(
  { addresses, addView, extensions }: Pick<JoiningHost, 'addresses' | 'addView' | 'extensions'>,
  folderOf: (id: string) => string | undefined,
): void {
  const prefixOf = (id: string) => `/wp-content/plugins/${id}/assets/`

  addresses.get('/wp-content/plugins/:id/assets/{*path}', async (context, next) => {
    const id = context.params.id ?? ''
    const path = pathBelow(prefixOf(id), context.path)
    const folder = extensions.get(id)?.running ? folderOf(id) : undefined
    const type = path !== undefined && isPublic(path) && mime.contentType(extname(path))
    const file = folder && path && type ? await findFile(join(folder, 'assets'), path) : undefined
    if (!file || !type) return next()
    await sendFile(context, file, {
      'Content-Type': type,
      'X-Content-Type-Options': 'nosniff',
      // Scripts in an SVG file that is opened by itself do not run.
      ...(type.startsWith('image/svg') && { 'Content-Security-Policy': "script-src 'none'; sandbox" }),
      ...(type.startsWith('font/') && { 'Access-Control-Allow-Origin': '*' }),
      'Cache-Control': queryOf(context).get('ver')
        ? 'public, max-age=31536000, immutable'
        : 'public, max-age=0, must-revalidate',
    })
  })

  addView(({ id, hooks }) => {
    const known = new Map<string, { readonly changed: string; readonly hash: string }>()

    function url(file: string): string {
      const folder = folderOf(id)
      if (folder === undefined) throw new Error(`${id} has no folder, so it has no files to show on pages.`)
      const problem = assetProblem(file)
      if (problem !== undefined) throw new Error(problem)
      const path = join(folder, 'assets', file)
      const stats = statSync(path, { throwIfNoEntry: false })
      if (!stats?.isFile()) throw new Error(`There is no file assets/${file}.`)
      const changed = `${stats.mtimeMs} ${stats.size}`
      const before = known.get(file)
      const hash = before?.changed === changed ? before.hash : hashOf(path)
      known.set(file, { changed, hash })
      return `${prefixOf(id)}${file}?ver=${hash}`
    }

    function enqueue(
      file: string,
      tagOf: (address: string) => string,
      priority: number,
      { when }: EnqueueOptions,
    ): Undo {
      url(file)
      return hooks.addAction(
        'wp_head',
        (output, page) => {
          if (when === undefined || when(page)) output.print(`${tagOf(escapeHtml(url(file)))}\n`)
        },
        priority,
      )
    }

    return {
      assets: {
        url,
        enqueueStyle: (file, options = {}) =>
          enqueue(file, (address) => `<link rel="stylesheet" href="${address}">`, STYLES, options),
        enqueueScript: (file, options = {}) => {
          const how = file.endsWith('.mjs') ? 'type="module"' : 'defer'
          return enqueue(file, (address) => `<script ${how} src="${address}"></script>`, SCRIPTS, options)
        },
      },
    }
  })
}

const TYPES = [...ASSET_TYPES].join(' ')

const isPublic = (file: string) => ASSET_TYPES.has(extname(file).toLowerCase())

/** Why a file in the folder assets is never served, as a sentence; `undefined` if it is. */
export function assetProblem(file: string): string | undefined {
  if (FILE.test(file) && isPublic(file)) return undefined
  return `"${file}" must be the path of a file in the assets folder, with one of these types: ${TYPES}.`
}

const hashOf = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 12)
