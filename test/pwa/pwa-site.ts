import { join } from 'node:path'
import { createTestHost, type TestHost, type TestHostOptions } from 'pentad/testing'

export const PWA = join(import.meta.dirname, '../../plugins/pwa')

/** A site with the PWA service. */
export function openPwaSite(options: TestHostOptions = {}): Promise<TestHost> {
  return createTestHost({ ...options, extensions: [PWA, ...(options.extensions ?? [])] })
}

/** Writes settings as the administrator does. */
export function putSettings(site: TestHost, settings: Readonly<Record<string, unknown>>): Promise<Response> {
  return site.request('/wp-json/pwa/v1/settings', { method: 'PUT', as: 'administrator', body: { settings } })
}

/** Writes settings that are valid. */
export async function set(site: TestHost, settings: Readonly<Record<string, unknown>>): Promise<void> {
  const answer = await putSettings(site, settings)
  if (!answer.ok) throw new Error(await answer.text())
}

/** Puts an image among the attachments. @returns its id */
export async function addImage(site: TestHost, bytes: Uint8Array, name = 'icon.png'): Promise<number> {
  const { id } = await site.host.content.media.upload({ source: bytes, name })
  return id
}
