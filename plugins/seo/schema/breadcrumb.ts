import type { PageContext } from 'pentad'
import type { Step } from '../breadcrumbs/trail.ts'
import type { SchemaThing } from './types.ts'

/** The breadcrumb trail of a page; `undefined` for the home page. */
export function breadcrumbThing(page: PageContext, steps: readonly Step[]): SchemaThing | undefined {
  // Google does not show trails with one item.
  if (steps.length < 2) return undefined
  return {
    '@type': 'BreadcrumbList',
    '@id': `${page.url}#breadcrumb`,
    itemListElement: steps.map(({ name, url }, at) => ({ '@type': 'ListItem', position: at + 1, name, item: url })),
  }
}
