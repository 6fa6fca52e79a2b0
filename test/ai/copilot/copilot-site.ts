import type { TestHost, TestRequest } from 'pentad/testing'
import { type AskedModel, openProviderServer, type ProviderServer } from '../provider-server/index.ts'

/** What the provider is paid with. */
export const KEY = 'sk-proj-this-must-never-be-seen'

/** Connects a site with the AI service to models that say what a test tells them to. */
export async function connectModels(site: TestHost): Promise<ProviderServer> {
  const models = await openProviderServer()
  site.respond(models.responder)
  const { status } = await send(site, 'PUT', '/settings', { body: { settings: { openaiApiKey: KEY } } })
  if (status !== 200) throw new Error(`The settings were answered with ${status}.`)
  return models
}

/** Sends a request to the AI service, as the administrator if nobody else is named. */
export async function send(
  site: TestHost,
  method: string,
  path: string,
  { body, ...from }: Omit<TestRequest, 'method'> = {},
) {
  const who = from.headers ? from : { as: 'administrator', ...from }
  const answer = await site.request(`/wp-json/ai/v1${path}`, { method, ...who, ...(body !== undefined && { body }) })
  return { status: answer.status, body: JSON.parse(await answer.text()) }
}

/** Says something to the copilot. */
export function say(
  site: TestHost,
  message: string,
  more: Readonly<Record<string, unknown>> = {},
  from: TestRequest = {},
) {
  return send(site, 'POST', '/generateAiResponse', { ...from, body: { message, ...more } })
}

/** What the last tool that a model called returned, out of its fence. */
export function lastResult(asked: AskedModel) {
  const [, ...lines] = (asked.toolResults.at(-1) ?? '').split('\n')
  return JSON.parse(lines.slice(0, -1).join('\n'))
}

/** One more administrator, and what requests are sent with as them. */
export async function addAdministrator({ host }: TestHost, login: string) {
  const user = { login, email: `${login}@example.org`, roles: ['administrator'] }
  const { id } = await host.auth.users.create(user)
  const { password } = await host.auth.applicationPasswords.create(id, 'test')
  return { id, headers: { Authorization: `Basic ${btoa(`${login}:${password}`)}` } }
}
