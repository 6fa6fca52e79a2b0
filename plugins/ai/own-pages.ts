import { isOwnForm, RestError, type Route } from 'pentad'

/** Bytes of a body, as every route for whoever comes has it (contract 1). */
const BODY_LIMIT = 65_536

/**
 * Who may call a route that does something for whoever comes: pages of this site, and programs. Another site's page
 * would do it with its visitors' browsers, each of which is counted by itself. In a batch a request could say of itself
 * what it likes.
 */
export function fromOwnPages(siteUrl: string): Pick<Route, 'access' | 'batch' | 'bodyLimit'> {
  return {
    access(request) {
      if (isOwnForm(request, siteUrl)) return true
      throw new RestError('invalid_origin', 'Only pages of this site may do this.', { status: 403 })
    },
    batch: false,
    bodyLimit: BODY_LIMIT,
  }
}
