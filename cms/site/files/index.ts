import { extname } from 'node:path'
import type Koa from 'koa'
import mime from 'mime-types'
import type { Hooks } from '../../../core/hooks/types.ts'
import type { UploadFiles } from '../../content/media/upload-files.ts'
import { ASSET_TYPES } from '../theme/folder.ts'
import type { Themes } from '../theme/theme.ts'
import '../hooks.ts'
import { queryOf } from '../../../core/http/request.ts'
import { findFile, pathBelow } from './find-file.ts'
import { sendFile } from './send-file.ts'
import { uploadHeaders } from './upload-type.ts'

const UPLOADS = '/wp-content/uploads/'
const THEMES = '/wp-content/themes/'

/** Files below `/wp-content/`. */
export interface Files {
  /** Serves a file; returns `false` if it does not exist or is not public. */
  serve(context: Koa.Context): Promise<boolean>
  /** Whether a public upload exists at a path. */
  hasUpload(path: string): Promise<boolean>
}

export function createFiles(parts: { uploads: UploadFiles; hooks: Hooks; themes: Themes }): Files {
  const { uploads, hooks, themes } = parts

  async function openUpload(address: string) {
    const path = pathBelow(UPLOADS, address)
    const headers = path && hooks.applyFilters('upload_headers', uploadHeaders(path), path)
    const file = path && headers && (await uploads.pull(path)) ? await findFile(uploads.folder, path) : undefined
    return file && headers ? { file, headers } : undefined
  }

  async function serveUpload(context: Koa.Context): Promise<boolean> {
    const found = await openUpload(context.path)
    if (found) await sendFile(context, found.file, found.headers)
    return found !== undefined
  }

  async function serveThemeFile(context: Koa.Context): Promise<boolean> {
    const [name = '', ...rest] = pathBelow(THEMES, context.path)?.split('/') ?? []
    if (themes.isUntrusted(name)) return false
    const type = mime.lookup(rest.at(-1) ?? '')
    if (!type || !ASSET_TYPES.has(extname(rest.at(-1) ?? '').toLowerCase())) return false
    for (const folder of themes.folders(name)) {
      const file = await findFile(folder, rest.join('/'))
      if (!file) continue
      await sendFile(context, file, {
        'Content-Type': mime.contentType(type) || type,
        'X-Content-Type-Options': 'nosniff',
        // Browsers load fonts only with CORS: from a CDN, and in the sandboxed frame of a preview.
        ...(type.startsWith('font/') && { 'Access-Control-Allow-Origin': '*' }),
        // URLs from `asset()` change with the content.
        'Cache-Control': queryOf(context).get('ver')
          ? 'public, max-age=31536000, immutable'
          : 'public, max-age=0, must-revalidate',
      })
      return true
    }
    return false
  }

  return {
    async serve(context) {
      if (context.path.startsWith(UPLOADS)) return serveUpload(context)
      if (context.path.startsWith(THEMES)) return serveThemeFile(context)
      return false
    },
    async hasUpload(path) {
      const found = await openUpload(path)
      await found?.file.handle.close()
      return found !== undefined
    },
  }
}
