import { Switch } from '@mantine/core'
import { useChange } from '../../api/query.ts'
import { change } from '../../api/rest.ts'
import { __ } from '../../i18n.ts'
import { EXTENSIONS, type ExtensionReport } from './types.ts'

/** Runs an extension that allows both in a sandbox or without one. */
export function IsolationSwitch({ extension: { id, isSandboxed } }: { extension: ExtensionReport }) {
  const { mutate, isPending } = useChange(
    (sandbox: boolean) => change('POST', `${EXTENSIONS}/${id}/isolation`, { sandbox }),
    { invalidates: [EXTENSIONS], done: __('Saved.', 'pentad') },
  )
  return (
    <Switch
      label={__('Run in a sandbox', 'pentad')}
      description={__(
        'In a sandbox, the extension can do only what its permissions allow. Without one, it can read and change everything on this site.',
        'pentad',
      )}
      checked={isSandboxed}
      // Disabled, it would lose the focus of the keyboard.
      onChange={(event) => isPending || mutate(event.currentTarget.checked)}
    />
  )
}
