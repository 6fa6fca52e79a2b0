import { extname } from 'node:path'
import type Koa from 'koa'
import mime from 'mime-types'
import { type FoundFile, findFile, pathBelow } from '../site/files/find-file.ts'

export const ASSETS = '/wp-admin/assets/'

/** The content codings that the build writes next to each file, smallest first. */
const CODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

/**
 * Serves the files of the built client, `/wp-admin/assets/…`, to everyone: they contain no data of the site. Their names
 * change with their content, so they can be cached forever.
 *
 * @param folder the `assets` folder of the build
 */
export function createServeAsset(folder: string): (context: Koa.Context) => Promise<void> {
  return async (context) => {
    context.set({ 'X-Content-Type-Options': 'nosniff', 'X-Robots-Tag': 'noindex' })
    const path = pathBelow(ASSETS, context.path)
    const type = path && mime.contentType(extname(path))
    const found = path && type && (await findSmallest(context, folder, path))
    if (!found || !type) return respondNotFound(context)
    const { file, coding } = found
    context.status = 200
    context.set({
      'Content-Type': type,
      'Cache-Control': 'public, max-age=31536000, immutable',
      Vary: 'Accept-Encoding',
      ...(coding && { 'Content-Encoding': coding }),
    })
    if (context.method === 'HEAD' || file.size === 0) {
      await file.handle.close()
      context.length = file.size
      if (context.method !== 'HEAD') context.body = Buffer.alloc(0)
      return
    }
    context.body = file.handle.createReadStream({ start: 0, end: file.size - 1 })
    context.set('Content-Type', type)
    context.length = file.size
  }
}

/** A plain 404: no person reads it. */
export function respondNotFound(context: Koa.Context): void {
  context.status = 404
  context.set('Cache-Control', 'no-store')
  context.type = 'text'
  context.body = 'File not found.\n'
}

async function findSmallest(
  context: Koa.Context,
  folder: string,
  path: string,
): Promise<{ file: FoundFile; coding: string | undefined } | undefined> {
  // Compressed files have no URL of their own.
  if (CODINGS.some(([, extension]) => path.endsWith(extension))) return undefined
  for (const [coding, extension] of CODINGS) {
    if (context.acceptsEncodings(coding, 'identity') !== coding) continue
    const file = await findFile(folder, path + extension)
    if (file) return { file, coding }
  }
  const file = await findFile(folder, path)
  return file && { file, coding: undefined }
}
