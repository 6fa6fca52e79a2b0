import { Alert, Badge, Button, Group } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { __, sprintf } from '../../i18n.ts'
import type { ExtensionAction } from './switch-extension.ts'
import type { ExtensionReport } from './types.ts'

const STATES: Readonly<Record<ExtensionReport['state'], { readonly color: string; readonly label: string }>> = {
  active: { color: 'teal', label: __('Active', 'pentad') },
  inactive: { color: 'gray', label: __('Inactive', 'pentad') },
  paused: { color: 'red', label: __('Paused', 'pentad') },
}

export function StateBadge({ extension: { state } }: { extension: ExtensionReport }) {
  const { color, label } = STATES[state]
  return (
    <Badge color={color} variant="light">
      {label}
    </Badge>
  )
}

/** Explains why an extension is paused or its last change failed, and what to do. */
export function StateReason({ extension: { state, reason, isUntrusted } }: { extension: ExtensionReport }) {
  if (reason === null) return null
  if (isUntrusted) {
    return (
      <Alert
        color="yellow"
        icon={<IconAlertTriangle aria-hidden />}
        title={__('Code from an unverified source', 'pentad')}
      >
        {__('It was restored from a backup that was not signed by this site.', 'pentad')}
        <br />
        {__('Review the code before you activate it. You will be asked for your password.', 'pentad')}
      </Alert>
    )
  }
  return (
    <Alert
      color={state === 'paused' ? 'red' : 'yellow'}
      icon={<IconAlertTriangle aria-hidden />}
      title={state === 'paused' ? __('Paused because of an error', 'pentad') : __('The last action failed', 'pentad')}
    >
      {reason}
      <br />
      {state === 'paused'
        ? __('Fix the problem, then reload the extension. The server log has the details.', 'pentad')
        : __('Fix the extension’s files, then try again.', 'pentad')}
    </Alert>
  )
}

interface StateButtonsProps {
  readonly extension: ExtensionReport
  readonly isBusy: boolean
  readonly onRun: (extension: ExtensionReport, action: ExtensionAction) => void
}

export function StateButtons({ extension, isBusy, onRun }: StateButtonsProps) {
  const { state, name } = extension
  const button = (action: ExtensionAction, label: string, described: string, isFirst = false) => (
    <Button
      size="xs"
      variant={isFirst ? 'filled' : 'default'}
      loading={isBusy}
      aria-label={described}
      onClick={() => onRun(extension, action)}
    >
      {label}
    </Button>
  )
  return (
    <Group gap="xs">
      {state === 'inactive' &&
        button('activate', __('Activate', 'pentad'), sprintf(__('Activate %s', 'pentad'), name), true)}
      {state !== 'inactive' &&
        button('reload', __('Reload', 'pentad'), sprintf(__('Reload %s', 'pentad'), name), state === 'paused')}
      {state !== 'inactive' &&
        button('deactivate', __('Deactivate', 'pentad'), sprintf(__('Deactivate %s', 'pentad'), name))}
    </Group>
  )
}
