import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import type { ConfigInput } from '../../core/config.ts'
import { createHost, type Host } from '../../core/host.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { toObject } from './gazette.ts'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly item: Readonly<Record<string, unknown>>
}

export interface MediaSite {
  readonly host: Host
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
  const siteDir = temporaryFolder()
  const host = await createHost({
    ...{ siteDir, port: 0, logLevel: 'silent', adminPassword: 'admin-password', databaseUrl },
    ...config,
  })
  const url = await host.listen()
  const { auth } = host
  let passwords = 0

  async function signIn(login: string, role: string): Promise<string> {
    const known = await auth.users.getByLogin(login)
    const user = known ?? (await auth.users.create({ login, email: `${login}@example.org`, roles: [role] }))
    const { password } = await auth.applicationPasswords.create(user.id, `test ${++passwords}`)
    return `Basic ${btoa(`${login}:${password}`)}`
  }

  const admin = await signIn('admin', 'administrator')

  async function request(path: string, init: RequestInit, as: string): Promise<Answer> {
    const headers = { ...Object.fromEntries(new Headers(init.headers)), ...(as !== '' && { authorization: as }) }
    const response = await fetch(`${url}/wp-json${path}`, { ...init, headers })
    return { status: response.status, headers: response.headers, item: toObject(await response.json()) }
  }

  return {
    ...{ host, url, admin, signIn },
    uploadForm(file, name, fields = {}, as = admin) {
      const form = new FormData()
      for (const [field, value] of Object.entries(fields)) form.set(field, value)
      form.set('file', new Blob([Uint8Array.from(file)], { type: 'application/octet-stream' }), name)
      return request('/wp/v2/media', { method: 'POST', body: form }, as)
    },
    uploadBody: (file, headers, as = admin) =>
      request('/wp/v2/media', { method: 'POST', body: Uint8Array.from(file), headers }, as),
    send: (method, path, body, as = admin) =>
      request(
        path,
        {
          method,
          ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
        },
        as,
      ),
    files: () => filesIn(join(siteDir, 'uploads')),
    waiting: () => filesIn(join(siteDir, 'tmp')),
    close: () => host.close(),
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
