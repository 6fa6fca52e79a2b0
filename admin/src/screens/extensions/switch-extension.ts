import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { invalidate, useChange } from '../../api/query.ts'
import { change } from '../../api/rest.ts'
import { __, sprintf } from '../../i18n.ts'
import { confirm } from '../../parts/confirm.tsx'
import { notifyDone } from '../../parts/notify.ts'
import { confirmAdded, confirmPermissions, readAsked } from './permissions.tsx'
import { EXTENSIONS, type ExtensionReport } from './types.ts'

export type ExtensionAction = 'activate' | 'deactivate' | 'reload'

interface Switch {
  readonly extension: ExtensionReport
  readonly action: ExtensionAction
  /** Body of the request. */
  readonly data: object
}

/** URL parameters for the notification after the reload. */
const DID = 'did'
const NAME = 'name'

/**
 * Activates, deactivates, and reloads extensions. Afterwards the page reloads: screens, navigation, and capabilities come
 * with the page, and an extension can change all of them.
 */
export function useSwitchExtension() {
  const client = useQueryClient()
  const { mutate, isPending, variables } = useChange(({ extension: { id }, action, data }: Switch) =>
    change('POST', `${EXTENSIONS}/${id}/${action}`, data),
  )

  /** Asks for what the action requires. @returns the body of the request; `undefined` to do nothing */
  async function confirmed(extension: ExtensionReport, action: ExtensionAction): Promise<object | undefined> {
    if (action === 'deactivate') return (await isSure(extension)) ? {} : undefined
    // An error is that of the action itself, which reports it.
    const asked = await readAsked(extension).catch(() => undefined)
    if (action === 'activate') {
      const isAllowed = !asked?.permissions || (await confirmPermissions(extension.name, asked.permissions))
      return isAllowed ? {} : undefined
    }
    const added = asked?.added ?? []
    return added.length === 0 || (await confirmAdded(extension.name, added)) ? { permissions: added } : undefined
  }

  async function run(extension: ExtensionReport, action: ExtensionAction): Promise<void> {
    const data = await confirmed(extension, action)
    if (data === undefined) return
    mutate(
      { extension, action, data },
      {
        onSuccess() {
          const query = new URLSearchParams({ [DID]: action, [NAME]: extension.name })
          window.location.assign(`${window.location.pathname}?${query}`)
        },
        // A failed extension is paused, or its old version keeps running: the list shows the reason.
        onError: () => void invalidate(client, [EXTENSIONS]),
      },
    )
  }

  return { run, busy: isPending ? variables?.extension.id : undefined }
}

function isSure({ name, isService }: ExtensionReport): Promise<boolean> {
  return confirm({
    title: sprintf(__('Deactivate “%s”?', 'pentad'), name),
    body: isService
      ? __(
          'The site will keep running without this service. Its settings and data will be kept for when you activate it again.',
          'pentad',
        )
      : __('It will stop working immediately. Its settings and data will be kept.', 'pentad'),
    confirm: __('Deactivate', 'pentad'),
  })
}

/** Shows the notification for an action before the reload. */
export function useToldAfterReload(): void {
  const [params, setParams] = useSearchParams()
  const did = params.get(DID)
  const name = params.get(NAME) ?? ''
  useEffect(() => {
    if (did === null) return
    const text = saidOf(did, name)
    if (text !== undefined) notifyDone(text)
    setParams(
      (before) => {
        const next = new URLSearchParams(before)
        next.delete(DID)
        next.delete(NAME)
        return next
      },
      { replace: true },
    )
  }, [did, name, setParams])
}

function saidOf(did: string, name: string): string | undefined {
  switch (did) {
    case 'activate':
      return sprintf(__('“%s” activated.', 'pentad'), name)
    case 'deactivate':
      return sprintf(__('“%s” deactivated.', 'pentad'), name)
    case 'reload':
      return sprintf(__('“%s” reloaded.', 'pentad'), name)
    default:
      return undefined
  }
}
