import type { ExtensionView } from '../../core/extensions/context.ts'
import { serviceView } from '../../core/extensions/service-view.ts'
import type { PageData } from './view/page-data.ts'

declare module '../../core/extensions/types.ts' {
  interface ExtensionHost {
    /** Data that pages show, read once until the site changes. */
    readonly pageData: PageData
  }
}

/** The member of `host` for data of pages. */
export function pageDataView(pageData: PageData): ExtensionView {
  return () => ({ pageData: serviceView(pageData) })
}
