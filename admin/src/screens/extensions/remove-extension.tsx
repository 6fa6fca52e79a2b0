import { Button, Checkbox, Stack, Text } from '@mantine/core'
import { useNavigate } from 'react-router'
import { __, sprintf } from '../../i18n.ts'
import { confirm } from '../../parts/confirm.tsx'
import { useRemove } from './packages.ts'
import type { ExtensionReport } from './types.ts'

/** Removes an extension after a confirmation, in which its data can be included. */
export function RemoveExtension({ extension: { id, name } }: { extension: ExtensionReport }) {
  const navigate = useNavigate()
  const { mutate, isPending } = useRemove()

  async function remove(): Promise<void> {
    let withData = false
    const isSure = await confirm({
      title: sprintf(__('Remove “%s”?', 'pentad'), name),
      body: (
        <Stack gap="sm">
          <Text size="sm">{__('It will be deactivated, and its files will be deleted.', 'pentad')}</Text>
          <Checkbox
            label={__('Delete its data and settings, too', 'pentad')}
            onChange={(event) => {
              withData = event.currentTarget.checked
            }}
          />
        </Stack>
      ),
      confirm: __('Remove', 'pentad'),
      isDestructive: true,
    })
    if (isSure) mutate({ id, withData }, { onSuccess: () => void navigate('/extensions') })
  }

  return (
    <Button
      size="xs"
      variant="light"
      color="red"
      loading={isPending}
      aria-label={sprintf(__('Remove %s', 'pentad'), name)}
      onClick={() => void remove()}
    >
      {__('Remove', 'pentad')}
    </Button>
  )
}
