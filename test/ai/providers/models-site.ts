import { createTestHost, type TestHost, type TestHostOptions } from 'pentad/testing'
import type { ProviderId } from '../../../plugins/ai/providers/types.ts'
import { AI } from '../ai-plugin.ts'
import { COMPATIBLE_URL, openProviderServer, type ProviderServer } from '../provider-server/index.ts'

/** Looks like a key, to be found wherever it leaks. */
export const KEY = 'sk-proj-this-must-never-be-seen'

/** A site whose providers are the local server. */
export interface ModelsSite {
  readonly site: TestHost
  readonly models: ProviderServer
  /** Leaves nothing but this provider connected, with these settings beside its key. */
  connect(provider: ProviderId | 'none', settings?: Readonly<Record<string, unknown>>): Promise<void>
  put(settings: Readonly<Record<string, unknown>>, as?: string): Promise<Response>
  post(path: string, body: unknown, as?: string): Promise<Response>
  /** Sends what `post` sends, as a client that gives up when the signal fires. */
  postUntil(signal: AbortSignal, path: string, body: unknown): Promise<Response>
  close(): Promise<void>
}

export async function openModelsSite(options: TestHostOptions = {}): Promise<ModelsSite> {
  const models = await openProviderServer()
  const site = await createTestHost({ ...options, extensions: [AI] })
  site.respond(models.responder)

  const put: ModelsSite['put'] = (settings, as = 'administrator') =>
    site.request('/wp-json/ai/v1/settings', { method: 'PUT', as, body: { settings } })

  const user = await site.host.auth.users.create({ login: 'leaving', roles: ['administrator'] })
  const { password } = await site.host.auth.applicationPasswords.create(user.id, 'test')
  const headers = { 'Content-Type': 'application/json', Authorization: `Basic ${btoa(`leaving:${password}`)}` }

  return {
    site,
    models,
    put,
    post: (path, body, as = 'administrator') => site.request(`/wp-json/ai/v1${path}`, { method: 'POST', as, body }),
    postUntil: (signal, path, body) =>
      fetch(`${site.url}/wp-json/ai/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body), signal }),
    async connect(provider, settings = {}) {
      const answer = await put({ ...NOTHING, ...connection(provider), ...settings })
      if (!answer.ok) throw new Error(await answer.text())
    },
    async close() {
      await site.close()
      await models.close()
    },
  }
}

const NOTHING = {
  openaiApiKey: '',
  anthropicApiKey: '',
  googleApiKey: '',
  compatibleApiKey: '',
  compatibleBaseUrl: '',
  textModel: '',
  imageModel: '',
  embeddingModel: '',
  aiRelatedPosts: 'off',
  monthlyTokenLimit: 0,
  dailyTokenLimit: 0,
  helpdeskDailyTokenLimit: 0,
  timeoutSeconds: 60,
}

function connection(provider: ProviderId | 'none'): Readonly<Record<string, string>> {
  if (provider === 'none') return {}
  if (provider === 'compatible') return { compatibleApiKey: KEY, compatibleBaseUrl: COMPATIBLE_URL }
  return { [`${provider}ApiKey`]: KEY }
}
