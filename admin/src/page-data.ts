import type { AdminData as PageData } from '../../cms/admin/page-data.ts'

export type { PageData }

/**
 * Reads the data that the server embeds in the admin page. @throws Error if this is not an admin page, for example after
 * logging out
 */
export function readPageData(page: Document | DocumentFragment): PageData {
  const text = page.getElementById('pentad-data')?.textContent
  if (!text) throw new Error('This page is not the admin.')
  return JSON.parse(text)
}

/** The state at page load. Settings can change later: see `useSettings`. */
export const pageData: PageData = readPageData(document)

/** Whether the user has a capability, or one of several. The server checks it again on every request. */
export function can(...capabilities: readonly string[]): boolean {
  return capabilities.some((capability) => pageData.user.capabilities.includes(capability))
}

/** Whether a service or extension is active. */
export function hasService(id: string): boolean {
  return pageData.services.includes(id)
}
