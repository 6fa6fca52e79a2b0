import type { AdminData as PageData } from '../../cms/admin/page-data.ts'

export type { PageData }

/** What the server put into a page of the admin. @throws Error if it is no such page, as after signing out. */
export function readPageData(page: Document | DocumentFragment): PageData {
  const text = page.getElementById('pentad-data')?.textContent
  if (!text) throw new Error('This page is not the admin.')
  return JSON.parse(text)
}

/** The parts of another page. In a template nothing of it comes alive, and the policy has nothing to say of its styles. */
export function parsePage(html: string): DocumentFragment {
  const template = document.createElement('template')
  template.innerHTML = html
  return template.content
}

/** As of the moment at which the page was opened; settings change since: see `useSettings`. */
export const pageData: PageData = readPageData(document)

/** Whether the user has a capability, or one of several. The server asks again with each request. */
export function can(...capabilities: readonly string[]): boolean {
  return capabilities.some((capability) => pageData.user.capabilities.includes(capability))
}

/** Whether a service or another extension is active. */
export function hasService(id: string): boolean {
  return pageData.services.includes(id)
}
