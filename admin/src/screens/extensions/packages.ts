import { useChange } from '../../api/query.ts'
import type { Responses } from '../../api/responses.ts'
import { change } from '../../api/rest.ts'
import { __, sprintf } from '../../i18n.ts'
import { withConsent } from './permissions.tsx'
import { EXTENSIONS } from './types.ts'

/** A package in the registry, as the search returns it. */
export type FoundPackage = Responses['GET /host/v1/extensions/search'][number]

/** A newer version of an installed extension. */
export type AvailableUpdate = Responses['GET /host/v1/extensions/updates'][number]

export type InstalledExtension = Responses['POST /host/v1/extensions']

export const SEARCH = `${EXTENSIONS}/search`
/** An installed extension with known vulnerabilities. */
export type VulnerableExtension = Responses['GET /host/v1/extensions/advisories'][number]

export const ADVISORIES = `${EXTENSIONS}/advisories`
export const UPDATES = `${EXTENSIONS}/updates`

/** Installs a package by its name or URL, or from a file. */
export function useInstall() {
  return useChange(
    (source: string | File) =>
      withConsent((consent) => {
        if (typeof source === 'string') {
          return change<InstalledExtension>('POST', EXTENSIONS, { package: source, ...consent })
        }
        const body = new FormData()
        body.append('file', source)
        body.append('ignoreAdvisories', String(consent.ignoreAdvisories))
        for (const permission of consent.permissions) body.append('permissions[]', permission)
        return change<InstalledExtension>('POST', `${EXTENSIONS}/upload`, undefined, { body })
      }),
    {
      invalidates: [EXTENSIONS],
      done: ({ name, version, previousVersion }) =>
        previousVersion === null
          ? sprintf(__('“%1$s” %2$s installed. You can now activate it.', 'pentad'), name, version)
          : sprintf(__('“%1$s” updated to version %2$s.', 'pentad'), name, version),
    },
  )
}

/** Updates an extension from the registry. */
export function useUpdate() {
  const send = ({ id }: AvailableUpdate) =>
    withConsent((consent) => change('POST', `${EXTENSIONS}/${id}/update`, consent))
  return useChange(send, {
    done: (_, { id, newest }) => sprintf(__('“%1$s” updated to version %2$s.', 'pentad'), id, newest),
    invalidates: [EXTENSIONS],
  })
}

/** Removes an extension, with its data on request. */
export function useRemove() {
  return useChange(
    ({ id, withData }: { id: string; withData: boolean }) =>
      change('DELETE', `${EXTENSIONS}/${id}?withData=${withData}`),
    { invalidates: [EXTENSIONS], done: __('Extension removed.', 'pentad') },
  )
}
