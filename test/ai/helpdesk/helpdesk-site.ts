import { createTestHost, type TestHost, type TestHostOptions } from 'pentad/testing'
import { AI } from '../ai-plugin.ts'

export const HELPDESK = '/wp-json/ai/v1/helpdesk-agent'

/** A site with the AI service, behind a proxy that tells from which address a visitor comes. */
export function openHelpdeskSite({ config, extensions = [], ...options }: TestHostOptions = {}): Promise<TestHost> {
  const trustedProxies = ['127.0.0.1']
  return createTestHost({ ...options, extensions: [AI, ...extensions], config: { trustedProxies, ...config } })
}

/** Writes settings as the administrator does. */
export async function set(site: TestHost, settings: Readonly<Record<string, unknown>>): Promise<void> {
  const answer = await site.request('/wp-json/ai/v1/settings', {
    method: 'PUT',
    as: 'administrator',
    body: { settings },
  })
  if (!answer.ok) throw new Error(await answer.text())
}

let networks = 0

/** An address of a network of its own. */
export function otherAddress(): string {
  networks++
  return `8.8.${networks}.8`
}
