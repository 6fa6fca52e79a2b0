import type { TestHost } from 'pentad/testing'
import { openSender, type Received } from '../../support/send.ts'

const ROOT = '/wp-json/seo/v1'

export interface Called {
  readonly status: number
  readonly code: string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: what a route answers is looked at field by field
  readonly data: any
}

/** Calls a route of the service as the administrator. */
export async function call(site: TestHost, method: string, path: string, body?: unknown): Promise<Called> {
  const answer = await site.request(ROOT + path, { method, as: 'administrator', ...(body !== undefined && { body }) })
  const { code, data } = JSON.parse(await answer.text())
  return { status: answer.status, code, data }
}

/** Makes a rule. @returns its id */
export async function make(site: TestHost, source: string, target: string, more: object = {}): Promise<number> {
  const { status, data } = await call(site, 'POST', '/redirects', { source, target, ...more })
  if (status !== 201) throw new Error(JSON.stringify(data))
  return data.id
}

/** Forgets all rules. */
export async function clear(site: TestHost): Promise<void> {
  const { data } = await call(site, 'GET', '/redirects/export')
  for (const { id } of data.rules) await call(site, 'DELETE', `/redirects/${id}`)
}

/** Asks for a path exactly as it is written. @returns `301 /new`, or the status alone where nobody is sent on */
export async function ask(site: TestHost, path: string, method = 'GET'): Promise<string> {
  const { status, headers } = await raw(site, path, method)
  return headers.location === undefined ? String(status) : `${status} ${headers.location}`
}

export async function raw(site: TestHost, path: string, method = 'GET'): Promise<Received> {
  const sender = openSender(site.url)
  try {
    return await sender.send({ method, path })
  } finally {
    sender.close()
  }
}
