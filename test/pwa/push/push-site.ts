import { join } from 'node:path'
import { createTestHost, type TestHost, type TestHostOptions } from 'pentad/testing'
import type {} from '../../../plugins/pwa/push/hooks.ts'
import { createSubscriber, type Subscriber } from './subscriber.ts'

const PWA = join(import.meta.dirname, '../../../plugins/pwa')
export const ROOT = '/wp-json/pwa/v1'

/** A site with the PWA service, in a local environment: its push services run on this machine. */
export function startPushSite(options: TestHostOptions = {}): Promise<TestHost> {
  const config = { environment: 'local' as const, trustedProxies: ['127.0.0.1'], ...options.config }
  return createTestHost({ ...options, config, extensions: [PWA, ...(options.extensions ?? [])] })
}

export interface Answered {
  readonly status: number
  readonly code: string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: the tests say what they expect in it
  readonly data: any
}

/** Calls a route of the service. */
export async function call(
  site: TestHost,
  method: string,
  path: string,
  body?: unknown,
  more: { readonly as?: string; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<Answered> {
  const headers = { 'X-Forwarded-For': elsewhere(), ...more.headers }
  const answer = await site.request(`${ROOT}${path}`, { method, ...more, headers, ...(body !== undefined && { body }) })
  const { code, data } = JSON.parse(await answer.text())
  return { status: answer.status, code, data }
}

let networks = 0

/** Another network each time, so that no test meets the limit of one. */
function elsewhere(): string {
  networks++
  return `81.2.${(networks >> 8) % 256}.${networks % 256}`
}

export const asAdministrator = { as: 'administrator' }

export async function changeSettings(site: TestHost, settings: Readonly<Record<string, unknown>>): Promise<void> {
  const { status, data } = await call(site, 'PUT', '/settings', { settings }, asAdministrator)
  if (status !== 200) throw new Error(JSON.stringify(data))
}

/** Subscribes a new browser at that endpoint. */
export async function subscribe(site: TestHost, endpoint: string, more: object = {}): Promise<Subscriber> {
  const subscriber = createSubscriber(endpoint)
  const { status, data } = await call(site, 'POST', '/push-subscription/add', { ...subscriber.subscription, ...more })
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(data)}`)
  return subscriber
}

export const send = (site: TestHost, notificationData: object = { notificationTitle: 'Hello' }) =>
  call(site, 'POST', '/push-subscribers/send', { notificationData }, asAdministrator)
