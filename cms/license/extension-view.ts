import { deprecate } from 'node:util'
import type { ExtensionView } from '../../core/extensions/context.ts'
import { serviceView } from '../../core/extensions/service-view.ts'
import type { License } from './types.ts'

// The former name: cspell:ignore licence

declare module '../../core/extensions/types.ts' {
  interface ExtensionHost {
    readonly license: License
  }
  interface ExtensionAuth {
    /** @deprecated Use `host.license`. */
    readonly licence: License
  }
}

/** The member `license` of an extension's host. */
export function licenseView(license: License): ExtensionView {
  const own = serviceView(license)
  const former = deprecate(() => own, 'host.auth.licence was renamed to host.license.', 'PENTAD_LICENSE')
  const members = {
    license: own,
    auth: {
      get licence() {
        return former()
      },
    },
  }
  return () => members
}
