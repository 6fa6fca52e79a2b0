import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import sharp, { type Sharp } from 'sharp'
import type { Site } from '../../app/create-site.ts'
import type { ConfigInput } from '../../core/config.ts'
import { toObject } from './gazette.ts'
import { openOwnSite } from './own-site.ts'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly item: Readonly<Record<string, unknown>>
}

export interface MediaSite {
  readonly host: Site
  readonly url: string
  /** Value of `Authorization` for the administrator. */
  readonly admin: string
  signIn(login: string, role: string): Promise<string>
  /** Sends the field `file` of a form with the other fields. */
  uploadForm(file: Uint8Array, name: string, fields?: Record<string, string>, as?: string): Promise<Answer>
  /** Sends the file as the body. */
  uploadBody(file: Uint8Array, headers: Record<string, string>, as?: string): Promise<Answer>
  send(method: string, path: string, body?: unknown, as?: string): Promise<Answer>
  /** Every file of the uploads folder, hidden ones too. */
  files(): string[]
  /** What lies where files wait to be taken in. */
  waiting(): string[]
  close(): Promise<void>
}

/** A new site that takes uploads. */
export async function openMediaSite(databaseUrl?: string, config: ConfigInput = {}): Promise<MediaSite> {
  const { host, url, ask, signIn, close } = await openOwnSite(databaseUrl, config)
  const { siteDir } = host.config
  const admin = await signIn('admin', 'administrator')

  async function upload(
    body: FormData | Uint8Array<ArrayBuffer>,
    headers: Record<string, string>,
    as: string,
  ): Promise<Answer> {
    // The site closes a connection that was idle for seconds, as while a test makes a large file. The client learns of it in the next turns.
    await setTimeout(10)
    const response = await fetch(`${url}/wp-json/wp/v2/media`, {
      method: 'POST',
      headers: { ...headers, ...(as !== '' && { authorization: as }) },
      body,
    })
    return { status: response.status, headers: response.headers, item: toObject(await response.json()) }
  }

  return {
    ...{ host, url, admin, signIn, close },
    uploadForm(file, name, fields = {}, as = admin) {
      const form = new FormData()
      for (const [field, value] of Object.entries(fields)) form.set(field, value)
      form.set('file', new Blob([Uint8Array.from(file)], { type: 'application/octet-stream' }), name)
      return upload(form, {}, as)
    },
    uploadBody: (file, headers, as = admin) => upload(Uint8Array.from(file), headers, as),
    send: (method, path, body, as = admin) => ask(`${method} ${path}`, body, as === '' ? undefined : as),
    files: () => filesIn(join(siteDir, 'uploads')),
    waiting: () => filesIn(join(siteDir, 'tmp')),
  }
}

function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()
}

/** A picture with something to see in it. */
export function picture(width: number, height: number): Sharp {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <rect width="100%" height="100%" fill="#fc8"/><circle cx="50%" cy="50%" r="25%" fill="#048"/></svg>`
  return sharp(Buffer.from(svg)).flatten()
}

export const jpeg = (width: number, height: number): Promise<Buffer> => picture(width, height).jpeg().toBuffer()
